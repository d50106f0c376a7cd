/* syscalls.c: see syscalls.h. Calls with a plain buffer are checked at entry. What a call may have written is set at exit: for
 * calls that are not in the table every block that an argument points to, since a false alarm is worse than a missed one. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "check.h"
#include "syscalls.h"
#include <sys/syscall.h>
#include <sys/uio.h>

enum what { READS_BUFFER, WRITES_BUFFER, READS_VECTOR, WRITES_VECTOR };
static const struct known { long number; const char *name; enum what what; } known[] = {
    { SYS_read, "read", WRITES_BUFFER }, { SYS_pread64, "pread", WRITES_BUFFER }, { SYS_recvfrom, "recv", WRITES_BUFFER },
    { SYS_write, "write", READS_BUFFER }, { SYS_pwrite64, "pwrite", READS_BUFFER }, { SYS_sendto, "send", READS_BUFFER },
    { SYS_readv, "readv", WRITES_VECTOR }, { SYS_preadv, "preadv", WRITES_VECTOR },
    { SYS_writev, "writev", READS_VECTOR }, { SYS_pwritev, "pwritev", READS_VECTOR },
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
    bool writes = c->k->what == WRITES_BUFFER || c->k->what == WRITES_VECTOR;
    if (!writes) {
        check_range(a, size, CHECK_SET, c->ip, c->sp, c->k->name);
        return;
    }
    /* The kernel may write less: at entry the bytes are checked, not set. */
    check_range(a, size, CHECK_READ, c->ip, c->sp, c->k->name);
}

static VOID before(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    number = (long)PIN_GetSyscallNumber(ctxt, std);
    for (UINT32 i = 0; i < N_ARGS; i++)
        args[i] = PIN_GetSyscallArgument(ctxt, std, i);
    struct check c = { find(number), PIN_GetContextReg(ctxt, REG_INST_PTR), PIN_GetContextReg(ctxt, REG_STACK_PTR) };
    if (!c.k)
        return;
    if (c.k->what == READS_BUFFER || c.k->what == WRITES_BUFFER)
        check_part(args[1], args[2], &c);
    else
        each_part(args[1], args[2], check_part, &c);
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
    if (!k)
        for (UINT32 i = 0; i < N_ARGS; i++)
            set_deep(args[i]);
    else if (k->what == WRITES_BUFFER)
        set_part(args[1], args[2], &got);
    else
        each_part(args[1], args[2], set_part, &got);
}

VOID syscalls_begin(VOID)
{
    PIN_AddSyscallEntryFunction(before, 0);
    PIN_AddSyscallExitFunction(after, 0);
}
