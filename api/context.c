/* context.c: CONTEXT is the engine's arch_context. */
#include "api/api.h"
#include <string.h>

_Static_assert(sizeof(struct arch_context) <= sizeof(CONTEXT), "tools declare CONTEXT objects");
_Static_assert(sizeof(FPSTATE) == ARCH_XSTATE_MAX, "FPSTATE is the CPU's own image");

static struct arch_context *in(const CONTEXT *c) { return (struct arch_context *)c; }

void context_take(CONTEXT *c, struct thread *t, bool is_const) { arch_context_get(in(c), t, is_const); }
void context_give(CONTEXT *c, struct thread *t) { arch_context_put(t, in(c)); }

static void must_be_writable(const CONTEXT *c, const char *function)
{
    if (in(c)->is_const)
        api_fatal("%s: this context is for reading only: copy it with PIN_SaveContext", function);
}

ADDRINT PIN_GetContextReg(const CONTEXT *c, REG reg)
{
    struct reg_id r = reg_to_id(reg);
    u64 v = 0;
    if (r.size > 8 || !arch_context_read(in(c), r, &v))
        api_fatal("PIN_GetContextReg: %s is not an integer register: use PIN_GetContextRegval", reg_name(reg));
    return v;
}

VOID PIN_SetContextReg(CONTEXT *c, REG reg, ADDRINT val)
{
    struct reg_id r = reg_to_id(reg);
    must_be_writable(c, "PIN_SetContextReg");
    if (r.size > 8 || !arch_context_write(in(c), r, &val))
        api_fatal("PIN_SetContextReg: %s is not an integer register: use PIN_SetContextRegval", reg_name(reg));
}

VOID PIN_GetContextRegval(const CONTEXT *c, REG reg, UINT8 *val)
{
    if (!arch_context_read(in(c), reg_to_id(reg), val))
        api_fatal("PIN_GetContextRegval: there is no register %s on this machine", reg_name(reg));
}

VOID PIN_SetContextRegval(CONTEXT *c, REG reg, const UINT8 *val)
{
    must_be_writable(c, "PIN_SetContextRegval");
    if (!arch_context_write(in(c), reg_to_id(reg), val))
        api_fatal("PIN_SetContextRegval: there is no register %s on this machine", reg_name(reg));
}

VOID PIN_SaveContext(const CONTEXT *from, CONTEXT *to) { arch_context_copy(in(to), in(from)); }

BOOL PIN_SupportsProcessorState(PROCESSOR_STATE s)
{
    switch (s) {
    case PROCESSOR_STATE_X87: case PROCESSOR_STATE_XMM: return TRUE;
    case PROCESSOR_STATE_YMM: return reg_has_state(STATE_YMM);
    case PROCESSOR_STATE_ZMM: return reg_has_state(STATE_ZMM);
    default: return FALSE;
    }
}

BOOL PIN_ContextContainsState(CONTEXT *c, PROCESSOR_STATE s) { return PIN_SupportsProcessorState(s); }

REGSET PIN_GetFullContextRegsSet(VOID)
{
    REGSET s;
    REGSET_Clear(&s);
    for (REG r = REG_FirstInRegset; r <= REG_LastInRegset; r++)
        if (reg_to_id(r).file != RF_NONE)
            REGSET_Insert(&s, r);
    return s;
}

/* ---- the whole vector state ---- */
VOID PIN_GetContextFPState(const CONTEXT *c, FPSTATE *f)
{
    memset(f, 0, sizeof *f);
    memcpy(f, arch_context_xstate(in(c)), arch_context_xsize());
}

VOID PIN_SetContextFPState(CONTEXT *c, const FPSTATE *f)
{
    must_be_writable(c, "PIN_SetContextFPState");
    memcpy(arch_context_xstate(in(c)), f, arch_context_xsize());
}

VOID PIN_GetContextFXSave(const CONTEXT *c, FXSAVE *f) { memcpy(f, arch_context_xstate(in(c)), sizeof *f); }

VOID PIN_SetContextFXSave(CONTEXT *c, const FXSAVE *f)
{
    enum { HEADER = 512, X87_AND_SSE = 3 };
    u8 *x = arch_context_xstate(in(c));
    must_be_writable(c, "PIN_SetContextFXSave");
    memcpy(x, f, sizeof *f);
    *(u64 *)(x + HEADER) |= X87_AND_SSE;
}

BOOL PIN_SpawnApplicationThread(const CONTEXT *c)
{
    not_in_probe_mode("PIN_SpawnApplicationThread");
    if (!PIN_IsApplicationThread())
        api_fatal("PIN_SpawnApplicationThread: a thread of the tool's own cannot make one of the application's: call it in an analysis "
                  "routine or a callback");
    return thr_spawn(&thr_self, in(c)) > 0;
}

void context_execute(const CONTEXT *c) { disp_execute_at(&thr_self, in(c)); }

VOID PIN_ExecuteAt(const CONTEXT *c)
{
    not_in_probe_mode("PIN_ExecuteAt");
    if (arch_is_hosted() || !PIN_IsApplicationThread())
        api_fatal("PIN_ExecuteAt: only an analysis routine or a replacement routine can be abandoned: a callback returns, and changes "
                  "its CONTEXT where it is given one");
    if (client_lock_is_mine())
        api_fatal("PIN_ExecuteAt: the thread has the client lock, which nobody would give back: call PIN_UnlockClient first");
    context_execute(c);
}
