/* exe.c: see exe.h. Follows the kernel: a script leads to its interpreter, a dynamic program to its ELF interpreter. */
#include "loader/exe.h"
#include "base/sys.h"
#include "loader/handoff.h"
#include <linux/elf.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

enum { SCRIPT_DEPTH = 5, HEAD_SIZE = 256, PHDRS_SIZE_MAX = 65536, MODE_TYPE = 0170000, X_OK_BIT = 1, R_OK_BIT = 4 };
enum { MODE_REG = 0100000, MODE_DIR = 0040000, MODE_SETUID = 04000, MODE_SETGID = 02000, MODE_XGRP = 0010 };

const char *exe_why(enum exe_verdict verdict)
{
    static const char text[][96] = {
#define X(name, status, text) text,
        EXE_VERDICTS(X)
#undef X
    };
    return text[verdict];
}

int exe_status(enum exe_verdict verdict)
{
    static const uint8_t status[] = {
#define X(name, status, text) status,
        EXE_VERDICTS(X)
#undef X
    };
    return status[verdict];
}

static bool copy_path(char *to, const char *from, size_t n)
{
    if (n >= EXE_PATH_MAX)
        return false;
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    to[n] = 0;
    return true;
}

static size_t length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static enum exe_verdict examine_mode(const char *path, u64 *size)
{
    struct statx st;
    long r = sys5(__NR_statx, AT_FDCWD, path, 0, STATX_BASIC_STATS, &st);
    if (r == -E_ACCES)
        return EXE_DENIED;
    if (sys_failed(r))
        return r == -E_NOENT ? EXE_NOT_FOUND : EXE_BAD_PATH;
    *size = st.stx_size;
    if ((st.stx_mode & MODE_TYPE) == MODE_DIR)
        return EXE_DIRECTORY;
    if ((st.stx_mode & MODE_TYPE) != MODE_REG)
        return EXE_NOT_REGULAR;
    if (sys_failed(sys3(__NR_faccessat, AT_FDCWD, path, X_OK_BIT)))
        return EXE_DENIED;
    if (st.stx_mode & MODE_SETUID)
        return EXE_SETUID;
    if ((st.stx_mode & MODE_SETGID) && (st.stx_mode & MODE_XGRP))
        return EXE_SETGID;
    if (!sys_failed(sys4(__NR_getxattr, path, "security.capability", 0, 0)))
        return EXE_FILE_CAPS;
    return EXE_OK;
}

/* `#! interpreter [argument]`: the interpreter's name, as the kernel finds it. */
static enum exe_verdict script_interpreter(const char *head, size_t n, char *interp)
{
    size_t i = 2, start;
    while (i < n && (head[i] == ' ' || head[i] == '\t'))
        i++;
    for (start = i; i < n && head[i] != ' ' && head[i] != '\t' && head[i] != '\n' && head[i]; i++)
        ;
    if (i == start)
        return EXE_FORMAT;
    copy_path(interp, head + start, i - start);
    return EXE_OK;
}

static enum exe_verdict read_interp(int fd, const struct elf64_phdr *ph, char *interp)
{
    if (ph->p_filesz < 2 || ph->p_filesz >= EXE_PATH_MAX)
        return EXE_BAD_ELF;
    if (sys4(__NR_pread64, fd, interp, ph->p_filesz, ph->p_offset) != (long)ph->p_filesz)
        return EXE_TRUNCATED;
    return interp[0] && !interp[ph->p_filesz - 1] ? EXE_OK : EXE_BAD_ELF;
}

static bool is_in_the_way(const struct elf64_hdr *e, const struct elf64_phdr *ph)
{
    return e->e_type == ET_EXEC && ph->p_type == PT_LOAD && ph->p_vaddr < PRIV_HI && ph->p_vaddr + ph->p_memsz > PRIV_LO;
}

static enum exe_verdict examine_segment(int fd, const struct elf64_hdr *e, const struct elf64_phdr *ph, u64 size, char *interp)
{
    u64 bytes_there = ph->p_offset < size ? size - ph->p_offset : 0;
    if (ph->p_type == PT_LOAD && ph->p_filesz > bytes_there)
        return EXE_TRUNCATED;
    if (is_in_the_way(e, ph))
        return EXE_IN_THE_WAY;
    return ph->p_type == PT_INTERP ? read_interp(fd, ph, interp) : EXE_OK;
}

/* Leaves the name of the ELF interpreter, or an empty string, in `interp`. */
static enum exe_verdict examine_elf(int fd, const char *head, size_t n, u64 size, struct exe *x, char *interp)
{
    const struct elf64_hdr *e = (const void *)head;
    struct elf64_phdr ph;
    enum exe_verdict v = EXE_OK;
    interp[0] = 0;
    if (n < sizeof *e)
        return EXE_TRUNCATED;
    x->bits = e->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
    x->machine = (uint8_t)e->e_machine;
    if (e->e_machine != EM_X86_64 && e->e_machine != EM_386)
        return EXE_MACHINE;
    if (e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_machine != EM_X86_64)
        return EXE_BITS;
    if ((e->e_type != ET_EXEC && e->e_type != ET_DYN) || e->e_phentsize != sizeof ph || !e->e_phnum ||
        e->e_phnum * sizeof ph > PHDRS_SIZE_MAX)
        return EXE_BAD_ELF;
    for (u32 i = 0; i < e->e_phnum && v == EXE_OK; i++)
        v = sys4(__NR_pread64, fd, &ph, sizeof ph, e->e_phoff + i * sizeof ph) == sizeof ph ? examine_segment(fd, e, &ph, size, interp)
                                                                                          : EXE_TRUNCATED;
    return v;
}

enum kind { KIND_ELF, KIND_SCRIPT };

/* One file of the chain. `next` gets the interpreter. */
static enum exe_verdict examine_file(const char *path, struct exe *x, char *next, enum kind *kind)
{
    u64 size = 0;
    char head[HEAD_SIZE];
    next[0] = 0;
    enum exe_verdict v = examine_mode(path, &size);
    if (v != EXE_OK)
        return v;
    long fd = sys4(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (sys_failed(fd))
        return fd == -E_ACCES ? EXE_UNREADABLE : EXE_CANNOT_OPEN;
    long n = sys3(__NR_read, fd, head, sizeof head);
    if (n >= 4 && head[0] == 0x7f && head[1] == 'E' && head[2] == 'L' && head[3] == 'F') {
        *kind = KIND_ELF;
        v = examine_elf((int)fd, head, (size_t)n, size, x, next);
    } else if (n >= 3 && head[0] == '#' && head[1] == '!') {
        *kind = KIND_SCRIPT;
        v = script_interpreter(head, (size_t)n, next);
    } else {
        v = EXE_FORMAT;
    }
    sys1(__NR_close, fd);
    return v;
}

static enum exe_verdict interp_verdict(enum exe_verdict v)
{
    return v == EXE_NOT_FOUND ? EXE_INTERP_MISSING : v;
}

enum exe_verdict exe_examine(const char *path, struct exe *x)
{
    char next[EXE_PATH_MAX];
    enum kind kind = KIND_ELF;
    x->bits = x->machine = 0;
    if (!copy_path(x->culprit, path, length(path)))
        return x->verdict = EXE_NOT_FOUND;
    x->verdict = examine_file(x->culprit, x, next, &kind);
    for (int depth = 0; x->verdict == EXE_OK && kind == KIND_SCRIPT; depth++) {
        if (depth == SCRIPT_DEPTH)
            return x->verdict = EXE_LOOP;
        copy_path(x->culprit, next, length(next));
        x->verdict = interp_verdict(examine_file(x->culprit, x, next, &kind));
    }
    if (x->verdict == EXE_OK && next[0]) {
        enum kind elf;
        copy_path(x->culprit, next, length(next));
        x->verdict = interp_verdict(examine_file(x->culprit, x, next, &elf));
    }
    return x->verdict;
}
