/* syscall.c: callbacks around system calls, and what they ask about them. */
#include "api/api.h"

static SYSCALL_STANDARD standard(int kind)
{
    return kind == SYSCALL_PLAIN ? SYSCALL_STANDARD_IA32E_LINUX : SYSCALL_STANDARD_IA32_LINUX;
}

static void tell(enum callback_kind which, struct thread *t, int kind)
{
    CONTEXT c;
    if (!callbacks[which])
        return;
    bool alone = !may_run_at_once(PIN_CALLBACK_TYPE_SYSCALL);
    if (alone)
        client_lock();
    context_take(&c, t, false);
    FOR_EACH_CALLBACK(k, which)
        k->syscall(t->index, &c, standard(kind), k->val);
    context_give(&c, t);
    if (alone)
        client_unlock();
}

void syscall_begins(struct thread *t, int kind) { tell(CB_SYSCALL_ENTRY, t, kind); }
void syscall_ends(struct thread *t, int kind) { tell(CB_SYSCALL_EXIT, t, kind); }

PIN_CALLBACK PIN_AddSyscallEntryFunction(SYSCALL_ENTRY_CALLBACK f, VOID *v) { return callback_add(CB_SYSCALL_ENTRY, f, v); }
PIN_CALLBACK PIN_AddSyscallExitFunction(SYSCALL_EXIT_CALLBACK f, VOID *v) { return callback_add(CB_SYSCALL_EXIT, f, v); }

static void replay(enum callback_kind which, THREADID tid, CONTEXT *c, SYSCALL_STANDARD std)
{
    client_lock();
    FOR_EACH_CALLBACK(k, which)
        k->syscall(tid, c, std, k->val);
    client_unlock();
}

VOID PIN_ReplaySyscallEntry(THREADID tid, CONTEXT *c, SYSCALL_STANDARD std) { replay(CB_SYSCALL_ENTRY, tid, c, std); }
VOID PIN_ReplaySyscallExit(THREADID tid, CONTEXT *c, SYSCALL_STANDARD std) { replay(CB_SYSCALL_EXIT, tid, c, std); }

/* ---- where the kernel looks ---- */
static REG argument_reg(SYSCALL_STANDARD std, UINT32 n, const char *function)
{
    static const REG now[] = { REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 };
    static const REG old[] = { REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP };
    if (n >= ARRAY_LEN(now))
        api_fatal("%s: a system call has six arguments at the most, not %u", function, n + 1);
    return std == SYSCALL_STANDARD_IA32_LINUX ? old[n] : now[n];
}

ADDRINT PIN_GetSyscallNumber(const CONTEXT *c, SYSCALL_STANDARD std) { return PIN_GetContextReg(c, REG_RAX); }
VOID PIN_SetSyscallNumber(CONTEXT *c, SYSCALL_STANDARD std, ADDRINT val) { PIN_SetContextReg(c, REG_RAX, val); }

ADDRINT PIN_GetSyscallArgument(const CONTEXT *c, SYSCALL_STANDARD std, UINT32 n)
{
    return PIN_GetContextReg(c, argument_reg(std, n, "PIN_GetSyscallArgument"));
}

VOID PIN_SetSyscallArgument(CONTEXT *c, SYSCALL_STANDARD std, UINT32 n, ADDRINT val)
{
    PIN_SetContextReg(c, argument_reg(std, n, "PIN_SetSyscallArgument"), val);
}

static bool failed(ADDRINT raw) { return raw > -4096ul; }

ADDRINT PIN_GetSyscallReturn(const CONTEXT *c, SYSCALL_STANDARD std)
{
    ADDRINT raw = PIN_GetContextReg(c, REG_RAX);
    return failed(raw) ? (ADDRINT)-1 : raw;
}

ADDRINT PIN_GetSyscallErrno(const CONTEXT *c, SYSCALL_STANDARD std)
{
    ADDRINT raw = PIN_GetContextReg(c, REG_RAX);
    return failed(raw) ? -raw : 0;
}

VOID PIN_SetSyscallReturn(CONTEXT *c, SYSCALL_STANDARD std, ADDRINT val) { PIN_SetContextReg(c, REG_RAX, val); }
VOID PIN_SetSyscallErrno(CONTEXT *c, SYSCALL_STANDARD std, ADDRINT val) { PIN_SetContextReg(c, REG_RAX, val); }
