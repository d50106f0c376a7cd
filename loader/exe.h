/* exe.h: would the kernel execute this file, and may Cotter run it? Asked by the launcher for the program, and by the
 * engine for what a followed program executes. Looks at files only; no libc. */
#ifndef COTTER_EXE_H
#define COTTER_EXE_H
#include <stdint.h>

/* Why not. Up to EXE_LOOP the kernel would refuse the file too; the rest is fit for a native run only. */
#define EXE_VERDICTS(X) \
    X(OK,             0,   "") \
    X(NOT_FOUND,      127, "no such file") \
    X(INTERP_MISSING, 127, "no such file") \
    X(BAD_PATH,       126, "the path cannot be followed") \
    X(NOT_REGULAR,    126, "not a regular file") \
    X(DIRECTORY,      126, "is a directory") \
    X(DENIED,         126, "permission denied") \
    X(CANNOT_OPEN,    126, "cannot be opened (no file descriptor left?)") \
    X(FORMAT,         126, "neither an ELF program nor a script with #! (a shell script without: cotter -- sh FILE)") \
    X(BAD_ELF,        126, "an ELF file that is not a program") \
    X(TRUNCATED,      126, "the file is truncated") \
    X(LOOP,           126, "too many levels of #! interpreters") \
    X(MACHINE,        126, "built for another machine") \
    X(BITS,           126, "not a 64-bit program, which this build does not support") \
    X(IN_THE_WAY,     126, "linked to addresses that Cotter needs for itself (0x550000000000 to 0x555500000000)") \
    X(UNREADABLE,     126, "may be executed but not read, so it cannot be instrumented") \
    X(SETUID,         126, "setuid: the kernel grants its privileges to uninstrumented runs only") \
    X(SETGID,         126, "setgid: the kernel grants its privileges to uninstrumented runs only") \
    X(FILE_CAPS,      126, "has file capabilities, which the kernel grants to uninstrumented runs only")

enum exe_verdict {
#define X(name, status, text) EXE_##name,
    EXE_VERDICTS(X)
#undef X
    EXE_VERDICT_COUNT
};

enum { EXE_PATH_MAX = 4096 };

struct exe {
    enum exe_verdict verdict;
    char culprit[EXE_PATH_MAX];     /* the file that the verdict is about: the program, or an interpreter of it */
    uint8_t bits, machine;          /* of that file, when it is an ELF: 32 or 64; low byte of e_machine */
};

enum exe_verdict exe_examine(const char *path, struct exe *result);
const char *exe_why(enum exe_verdict verdict);
int exe_status(enum exe_verdict verdict);       /* what env(1) would exit with */
#endif
