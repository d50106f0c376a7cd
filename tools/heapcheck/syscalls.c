/* syscalls.c: see syscalls.h. Calls with a plain buffer are checked at entry. What a call may have written is set at exit: for
 * calls that are not in the table every block that an argument points to, since a false alarm is worse than a missed one. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "check.h"
#include "syscalls.h"
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>

/* What a call does with its argument `at`: its length is argument `n`, the result of the call, or n bytes. */
enum what { READS_BUFFER, WRITES_BUFFER, READS_VECTOR, WRITES_VECTOR, WRITES_RESULT, WRITES_BYTES };
static const struct known { long number; const char *name; enum what what; UINT16 at, n; } known[] = {
    { SYS_read, "read", WRITES_BUFFER, 1, 2 },
    { SYS_pread64, "pread", WRITES_BUFFER, 1, 2 },
    { SYS_recvfrom, "recv", WRITES_BUFFER, 1, 2 },
    { SYS_write, "write", READS_BUFFER, 1, 2 },
    { SYS_pwrite64, "pwrite", READS_BUFFER, 1, 2 },
    { SYS_sendto, "send", READS_BUFFER, 1, 2 },
    { SYS_readv, "readv", WRITES_VECTOR, 1, 2 },
    { SYS_preadv, "preadv", WRITES_VECTOR, 1, 2 },
    { SYS_writev, "writev", READS_VECTOR, 1, 2 },
    { SYS_pwritev, "pwritev", READS_VECTOR, 1, 2 },
    { SYS_getcwd, "getcwd", WRITES_RESULT, 0 },
    { SYS_readlink, "readlink", WRITES_RESULT, 1 },
    { SYS_readlinkat, "readlinkat", WRITES_RESULT, 2 },
    { SYS_getdents64, "getdents64", WRITES_RESULT, 1 },
    { SYS_getrandom, "getrandom", WRITES_RESULT, 0 },
    { SYS_stat, "stat", WRITES_BYTES, 1, sizeof(struct stat) },
    { SYS_lstat, "lstat", WRITES_BYTES, 1, sizeof(struct stat) },
    { SYS_fstat, "fstat", WRITES_BYTES, 1, sizeof(struct stat) },
    { SYS_newfstatat, "fstatat", WRITES_BYTES, 2, sizeof(struct stat) },
    { SYS_statx, "statx", WRITES_BYTES, 4, sizeof(struct statx) },
    { SYS_statfs, "statfs", WRITES_BYTES, 1, sizeof(struct statfs) },
    { SYS_fstatfs, "fstatfs", WRITES_BYTES, 1, sizeof(struct statfs) },
    { SYS_uname, "uname", WRITES_BYTES, 0, sizeof(struct utsname) },
    { SYS_sysinfo, "sysinfo", WRITES_BYTES, 0, sizeof(struct sysinfo) },
    { SYS_pipe, "pipe", WRITES_BYTES, 0, 2 * sizeof(int) },
    { SYS_pipe2, "pipe2", WRITES_BYTES, 0, 2 * sizeof(int) },
    { SYS_socketpair, "socketpair", WRITES_BYTES, 3, 2 * sizeof(int) },
    { SYS_clock_gettime, "clock_gettime", WRITES_BYTES, 1, sizeof(struct timespec) },
};
enum { MAX_VECTOR = 1024, N_ARGS = 6 };

static __thread ADDRINT args[N_ARGS];
static __thread long number;

BOOL syscalls_is_exec(VOID) { return number == SYS_execve || number == SYS_execveat; }

static const struct known *find(long n)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].number == n)
            return &known[i];
    return NULL;
}

static VOID each_part(ADDRINT vector, ADDRINT n, VOID (*visit)(ADDRINT a, size_t size, VOID *v), VOID *v)
{
    struct iovec part;
    for (ADDRINT i = 0; i < n && i < MAX_VECTOR; i++)
        if (PIN_SafeCopy(&part, (struct iovec *)vector + i, sizeof part) == sizeof part)
            visit((ADDRINT)part.iov_base, part.iov_len, v);
}

struct check { const struct known *k; ADDRINT ip, sp; };

static VOID check_part(ADDRINT a, size_t size, VOID *v)
{
    struct check *c = v;
    bool reads = c->k->what == READS_BUFFER || c->k->what == READS_VECTOR;
    check_range(a, size, reads ? CHECK_SET : CHECK_ROOM, c->ip, c->sp, c->k->name);
}

static VOID before(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    number = (long)PIN_GetSyscallNumber(ctxt, std);
    for (UINT32 i = 0; i < N_ARGS; i++)
        args[i] = PIN_GetSyscallArgument(ctxt, std, i);
    struct check c = { find(number), PIN_GetContextReg(ctxt, REG_INST_PTR), PIN_GetContextReg(ctxt, REG_STACK_PTR) };
    if (!c.k || c.k->what == WRITES_RESULT)
        return;
    if (c.k->what == READS_VECTOR || c.k->what == WRITES_VECTOR)
        each_part(args[c.k->at], args[c.k->n], check_part, &c);
    else
        check_part(args[c.k->at], c.k->what == WRITES_BYTES ? c.k->n : args[c.k->n], &c);
}

static VOID set_part(ADDRINT a, size_t size, VOID *v)
{
    size_t *left = v, n = size < *left ? size : *left;
    if (arena_has(a))
        for (size_t i = 0; i < n; i++)
            if (*arena_state(a + i) == BYTE_UNSET)
                *arena_state(a + i) = BYTE_FINE;
    *left -= n;
}

/* The rest of the block that a lies in. */
static VOID set_block(ADDRINT a)
{
    arena_lock();
    struct chunk *c = arena_has(a) ? arena_near(a) : NULL;
    if (c && c->life == LIFE_LIVE && a >= c->at && a < c->at + c->size) {
        size_t n = c->at + c->size - a;
        set_part(a, n, &n);
    }
    arena_unlock();
}

/* recvmsg and its like: a struct of pointers. Follow one step. */
static VOID set_deep(ADDRINT a)
{
    ADDRINT words[8];
    set_block(a);
    size_t n = PIN_SafeCopy(words, (VOID *)a, sizeof words) / sizeof *words;
    for (size_t i = 0; i < n; i++) {
        set_block(words[i]);
        struct iovec part;
        if (PIN_SafeCopy(&part, (VOID *)words[i], sizeof part) == sizeof part)
            set_block((ADDRINT)part.iov_base);
    }
}

static VOID after(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    const struct known *k = find(number);
    size_t got = (size_t)PIN_GetSyscallReturn(ctxt, std);
    number = -1;
    if (k && (k->what == READS_BUFFER || k->what == READS_VECTOR || (INT64)got < 0))
        return;
    if (!k) {
        for (UINT32 i = 0; i < N_ARGS; i++)
            set_deep(args[i]);
    } else if (k->what == WRITES_RESULT) {
        check_range(args[k->at], got, CHECK_WRITE, PIN_GetContextReg(ctxt, REG_INST_PTR), PIN_GetContextReg(ctxt, REG_STACK_PTR), k->name);
    } else if (k->what == WRITES_VECTOR) {
        each_part(args[k->at], args[k->n], set_part, &got);
    } else {
        size_t size = k->what == WRITES_BYTES ? k->n : args[k->n];
        got = k->what == WRITES_BYTES ? size : got;
        set_part(args[k->at], size, &got);
    }
}

VOID syscalls_begin(VOID)
{
    PIN_AddSyscallEntryFunction(before, 0);
    PIN_AddSyscallExitFunction(after, 0);
}
