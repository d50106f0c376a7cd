/* syscall_args.c: see syscalls.h. One letter says what an argument is:
 *
 *   d descriptor   D folder descriptor   s text (a path)   t other text   b bytes to be written, size in the next one
 *   r bytes that were read, as many as the result   i int   u unsigned   x hexadecimal   p address   o mode, octal
 *   F flags of open   P protection   M flags of mmap   S signal   a list of texts   n none: not shown */
#include "tool.h"
#include "syscalls.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

static const struct { const char *name, *spec; } specs[] = {
    {"read", "dru"}, {"write", "dbu"}, {"open", "sFo"}, {"close", "d"}, {"stat", "sp"}, {"fstat", "dp"}, {"lstat", "sp"},
    {"poll", "pui"}, {"lseek", "dui"}, {"mmap", "puPMdx"}, {"mprotect", "puP"}, {"munmap", "pu"}, {"brk", "p"},
    {"rt_sigaction", "Sppu"}, {"rt_sigprocmask", "ippu"}, {"rt_sigreturn", ""}, {"ioctl", "dxp"}, {"pread64", "druu"},
    {"pwrite64", "dbuu"}, {"readv", "dpu"}, {"writev", "dpu"}, {"access", "so"}, {"pipe", "p"}, {"select", "ipppp"},
    {"sched_yield", ""}, {"mremap", "puuxp"}, {"madvise", "pui"}, {"dup", "d"}, {"dup2", "dd"}, {"pause", ""},
    {"nanosleep", "pp"}, {"alarm", "u"}, {"getpid", ""}, {"sendfile", "ddpu"}, {"socket", "iii"}, {"connect", "dpu"},
    {"accept", "dpp"}, {"sendto", "dbuxpu"}, {"recvfrom", "druxpp"}, {"sendmsg", "dpx"}, {"recvmsg", "dpx"}, {"shutdown", "di"},
    {"bind", "dpu"}, {"listen", "di"}, {"getsockname", "dpp"}, {"getpeername", "dpp"}, {"socketpair", "iiip"},
    {"setsockopt", "diipu"}, {"getsockopt", "diipp"}, {"clone", "xpppx"}, {"fork", ""}, {"vfork", ""}, {"execve", "sap"},
    {"exit", "i"}, {"wait4", "ipxp"}, {"kill", "iS"}, {"uname", "p"}, {"fcntl", "dix"}, {"flock", "di"}, {"fsync", "d"},
    {"fdatasync", "d"}, {"truncate", "su"}, {"ftruncate", "du"}, {"getdents", "dpu"}, {"getdents64", "dpu"}, {"getcwd", "pu"},
    {"chdir", "s"}, {"fchdir", "d"}, {"rename", "ss"}, {"mkdir", "so"}, {"rmdir", "s"}, {"creat", "so"}, {"link", "ss"},
    {"unlink", "s"}, {"symlink", "ss"}, {"readlink", "sru"}, {"chmod", "so"}, {"fchmod", "do"}, {"chown", "sii"},
    {"fchown", "dii"}, {"lchown", "sii"}, {"umask", "o"}, {"gettimeofday", "pp"}, {"getrlimit", "ip"}, {"getrusage", "ip"},
    {"sysinfo", "p"}, {"times", "p"}, {"getuid", ""}, {"getgid", ""}, {"setuid", "i"}, {"setgid", "i"}, {"geteuid", ""},
    {"getegid", ""}, {"setpgid", "ii"}, {"getppid", ""}, {"getpgrp", ""}, {"setsid", ""}, {"sigaltstack", "pp"}, {"statfs", "sp"},
    {"fstatfs", "dp"}, {"prctl", "ixxxx"}, {"arch_prctl", "xp"}, {"chroot", "s"}, {"mount", "sstxp"}, {"umount2", "sx"},
    {"gettid", ""}, {"setxattr", "stbui"}, {"getxattr", "stpu"}, {"lgetxattr", "stpu"}, {"futex", "pxupp"}, {"sched_setaffinity", "iup"},
    {"sched_getaffinity", "iup"}, {"epoll_create", "i"}, {"set_tid_address", "p"}, {"fadvise64", "duui"}, {"timer_create", "ipp"},
    {"clock_gettime", "ip"}, {"clock_getres", "ip"}, {"clock_nanosleep", "ixpp"}, {"exit_group", "i"}, {"epoll_wait", "dpii"},
    {"epoll_ctl", "didp"}, {"tgkill", "iiS"}, {"tkill", "iS"}, {"utimes", "sp"}, {"openat", "DsFo"}, {"mkdirat", "Dso"},
    {"fchownat", "Dsiix"}, {"newfstatat", "Dspx"}, {"unlinkat", "Dsx"}, {"renameat", "DsDs"}, {"linkat", "DsDsx"},
    {"symlinkat", "sDs"}, {"readlinkat", "Dsru"}, {"fchmodat", "Dso"}, {"faccessat", "Dso"}, {"pselect6", "ippppp"}, {"ppoll", "pupp"},
    {"set_robust_list", "pu"}, {"get_robust_list", "ipp"}, {"utimensat", "Dspx"}, {"epoll_pwait", "dpiipu"}, {"signalfd4", "dpux"},
    {"timerfd_create", "ix"}, {"eventfd2", "ux"}, {"epoll_create1", "x"}, {"dup3", "ddF"}, {"pipe2", "pF"}, {"inotify_init1", "x"},
    {"inotify_add_watch", "dsx"}, {"prlimit64", "iipp"}, {"renameat2", "DsDsx"}, {"getrandom", "rux"}, {"memfd_create", "tx"},
    {"execveat", "Dsapx"}, {"copy_file_range", "dpdpux"}, {"statx", "Dsxxp"}, {"rseq", "puxx"}, {"clone3", "pu"},
    {"close_range", "uux"}, {"openat2", "Dspu"}, {"faccessat2", "Dsox"}, {"accept4", "dppx"}, {"getresuid", "ppp"},
    {"getresgid", "ppp"}, {"getgroups", "ip"}, {"getpgid", "i"}, {"getpriority", "ii"}, {"msync", "pux"}, {"mincore", "pup"},
    {"shmget", "iux"}, {"shmat", "ipx"}, {"rt_sigsuspend", "pu"}, {"rt_sigpending", "pu"}, {"rt_sigtimedwait", "pppu"},
    {"setitimer", "ipp"}, {"getitimer", "ip"}, {"membarrier", "ixi"}, {"personality", "x"}, {"fallocate", "dxuu"}, {"sync", ""},
    {"waitid", "iipxp"},
};

const char *syscall_spec(UINT64 number)
{
    static const char **by_number;
    if (!by_number) {
        const char **table = need((size_t)syscall_count() * sizeof *table);
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
            INT64 n = syscall_number(specs[i].name);
            if (n >= 0)
                table[n] = specs[i].spec;
        }
        by_number = table;
    }
    return number < (UINT64)syscall_count() && by_number[number] ? by_number[number] : "nnnnnn?";
}

/* ---- values ---- */
struct flag { INT64 bits; const char *name; };
static const struct flag open_flags[] = {
    {O_APPEND, "O_APPEND"}, {O_CLOEXEC, "O_CLOEXEC"}, {O_CREAT, "O_CREAT"}, {O_DIRECT, "O_DIRECT"}, {O_DIRECTORY, "O_DIRECTORY"},
    {O_EXCL, "O_EXCL"}, {0100000, "O_LARGEFILE"}, {O_NOATIME, "O_NOATIME"}, {O_NOCTTY, "O_NOCTTY"}, {O_NOFOLLOW, "O_NOFOLLOW"},
    {O_NONBLOCK, "O_NONBLOCK"}, {O_PATH, "O_PATH"}, {O_TRUNC, "O_TRUNC"}, {0, NULL}
};
static const struct flag prot_flags[] = { {PROT_READ, "PROT_READ"}, {PROT_WRITE, "PROT_WRITE"}, {PROT_EXEC, "PROT_EXEC"}, {0, NULL} };
static const struct flag map_flags[] = {
    {MAP_SHARED, "MAP_SHARED"}, {MAP_PRIVATE, "MAP_PRIVATE"}, {MAP_FIXED, "MAP_FIXED"}, {MAP_ANONYMOUS, "MAP_ANONYMOUS"},
    {MAP_DENYWRITE, "MAP_DENYWRITE"}, {MAP_GROWSDOWN, "MAP_GROWSDOWN"}, {MAP_NORESERVE, "MAP_NORESERVE"}, {MAP_POPULATE, "MAP_POPULATE"},
    {MAP_STACK, "MAP_STACK"}, {MAP_HUGETLB, "MAP_HUGETLB"}, {MAP_FIXED_NOREPLACE, "MAP_FIXED_NOREPLACE"}, {0, NULL}
};

static VOID write_flags(FILE *f, INT64 value, const struct flag *flags, const char *first)
{
    bool any = *first;
    fputs(first, f);
    for (; flags->name; flags++)
        if ((value & flags->bits) == flags->bits) {
            fprintf(f, "%s%s", any ? "|" : "", flags->name);
            value &= ~flags->bits;
            any = true;
        }
    if (value || !any)
        fprintf(f, any ? "|0x%lx" : "0x%lx", value);
}

static VOID write_open_flags(FILE *f, INT64 value)
{
    static const char *const ways[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };
    write_flags(f, value & ~O_ACCMODE, open_flags, ways[value & O_ACCMODE]);
}

static VOID write_quoted(FILE *f, const char *text, size_t n)
{
    fputc('"', f);
    for (size_t i = 0; i < n; i++) {
        UINT8 c = (UINT8)text[i];
        if (c == '\n' || c == '\t')
            fputs(c == '\n' ? "\\n" : "\\t", f);
        else if (c == '"' || c == '\\')
            fprintf(f, "\\%c", c);
        else if (c < ' ' || c >= 0x7f)
            fprintf(f, "\\%o", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

static bool read_text(ADDRINT a, char *text, size_t room)
{
    size_t n = PIN_SafeCopy(text, (VOID *)a, room - 1);
    text[n] = 0;
    return a && n;
}

static VOID write_text(FILE *f, ADDRINT a)
{
    char text[4096];
    if (read_text(a, text, sizeof text))
        write_quoted(f, text, strlen(text));
    else
        fprintf(f, a ? "0x%lx" : "NULL", a);
}

static VOID write_bytes(FILE *f, ADDRINT a, INT64 n)
{
    enum { SHOWN = 32 };
    char bytes[SHOWN];
    size_t got = n > 0 ? PIN_SafeCopy(bytes, (VOID *)a, (size_t)(n < SHOWN ? n : SHOWN)) : 0;
    write_quoted(f, bytes, got);
    fputs((INT64)got < n ? "..." : "", f);
}

static VOID write_list(FILE *f, ADDRINT a)
{
    ADDRINT at;
    fputc('[', f);
    for (int i = 0; i < 64 && PIN_SafeCopy(&at, (VOID *)(a + (ADDRINT)i * sizeof at), sizeof at) == sizeof at && at; i++) {
        fputs(i ? ", " : "", f);
        write_text(f, at);
    }
    fputc(']', f);
}

static VOID write_signal(FILE *f, ADDRINT n)
{
    const char *name = sigabbrev_np((int)n);
    if (name)
        fprintf(f, "SIG%s", name);
    else
        fprintf(f, "%lu", n);
}

static VOID write_arg(FILE *f, char kind, const ADDRINT *arg, const INT64 *result)
{
    INT32 word = (INT32)*arg;
    switch (kind) {
    case 'D':
        if (word == AT_FDCWD) {
            fputs("AT_FDCWD", f);
            break;
        }                                       /* fall through */
    case 'd': fprintf(f, "%d", word); break;
    case 'i': fprintf(f, "%d", word); break;
    case 'u': fprintf(f, "%lu", *arg); break;
    case 'o': fprintf(f, *arg ? "0%lo" : "0", *arg); break;
    case 's': case 't': write_text(f, *arg); break;
    case 'b': write_bytes(f, *arg, (INT64)arg[1]); break;
    case 'r':
        if (result && *result >= 0)
            write_bytes(f, *arg, *result);
        else
            fprintf(f, "0x%lx", *arg);
        break;
    case 'F': write_open_flags(f, word); break;
    case 'P': write_flags(f, word, prot_flags, *arg ? "" : "PROT_NONE"); break;
    case 'M': write_flags(f, word, map_flags, ""); break;
    case 'S': write_signal(f, *arg); break;
    case 'a': write_list(f, *arg); break;
    case 'p': fprintf(f, *arg ? "0x%lx" : "NULL", *arg); break;
    default: fprintf(f, *arg ? "0x%lx" : "0", *arg);
    }
}

/* The mode is an argument of open only with O_CREAT. */
VOID syscall_write_args(FILE *f, UINT64 number, const ADDRINT *arg, const INT64 *result)
{
    const char *spec = syscall_spec(number);
    for (int i = 0; spec[i] && i < 6; i++) {
        if (i && spec[i] == 'o' && spec[i - 1] == 'F' && !(arg[i - 1] & O_CREAT))
            break;
        fputs(i ? ", " : "", f);
        write_arg(f, spec[i], &arg[i], result);
    }
}

VOID syscall_write_result(FILE *f, UINT64 number, INT64 result, INT32 error)
{
    const char *spec = syscall_spec(number), *name = syscall_name(number);
    bool is_address = !strcmp(name, "mmap") || !strcmp(name, "brk") || !strcmp(name, "mremap") || !strcmp(name, "shmat");
    if (error)
        fprintf(f, "-1 %s (%s)", strerrorname_np(error) ? strerrorname_np(error) : "?", strerror(error));
    else
        fprintf(f, is_address ? "0x%lx" : spec[0] == 'o' && !spec[1] ? "0%lo" : "%ld", result);
}

bool syscall_path(UINT64 number, const ADDRINT *arg, int n, char *path, size_t room)
{
    const char *spec = syscall_spec(number);
    return (size_t)n < strlen(spec) && spec[n] == 's' && read_text(arg[n], path, room);
}
