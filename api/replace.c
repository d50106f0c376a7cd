/* replace.c: routines of the tool in the place of the application's, and application routines called by the tool. */
#include "api/iarg.h"
#include "api/image.h"
#include "engine/jit/replace.h"
#include <stdlib.h>

/* ---- prototypes: only whether the result is a floating-point number matters ---- */
struct COTTER_PROTO { PARG_T result; };

PROTO PROTO_Allocate(PARG_T result, CALLINGSTD_TYPE standard, const char *name, ...)
{
    struct COTTER_PROTO *p = calloc(1, sizeof *p);
    p->result = result;
    return p;
}

VOID PROTO_Free(PROTO p) { free(p); }

static bool is_float(PARG_TYPE t) { return t == PARG_FLOAT || t == PARG_DOUBLE; }
bool proto_returns_float(PROTO p) { return p && is_float(p->result._parg); }

/* ---- replacing ---- */
static void check(RTN rtn, AFUNPTR fun, const char *function)
{
    if (code_is_shown())
        api_fatal("%s: not from INS and TRACE callbacks, only from IMG and RTN callbacks", function);
    not_in_probe_mode(function);
    if (!RTN_Valid(rtn) || !fun)
        api_fatal("%s: the routine is invalid or the replacement is NULL", function);
}

AFUNPTR RTN_Replace(RTN rtn, AFUNPTR fun)
{
    struct call c = { .fn = (const void *)fun };
    check(rtn, fun, "RTN_Replace");
    struct call *kept = malloc(sizeof c);
    *kept = c;
    if (ifunc_follow(rtn, (struct follower){ .call = kept, .kind = FOLLOW_REPLACE }))
        return RTN_Funptr(rtn);
    free(kept);
    replace_add(RTN_Address(rtn), &c, false, false);
    return RTN_Funptr(rtn);
}

AFUNPTR RTN_ReplaceSignature(RTN rtn, AFUNPTR fun, ...)
{
    check(rtn, fun, "RTN_ReplaceSignature");
    struct iargs p = { .address = RTN_Address(rtn), .function = "RTN_ReplaceSignature", .point = POINT_BEFORE };
    va_list ap;
    va_start(ap, fun);
    iargs_parse(&p, ap);
    va_end(ap);
    struct call *c = iargs_call(&p, fun, 0, NULL);
    for (u32 k = 0; k < c->n_args; k++)
        if (c->arg[k].kind == ARG_HERE) {
            c->arg[k].kind = ARG_CONST;
            c->arg[k].value = p.address;
        }
    if (ifunc_follow(rtn, (struct follower){ .call = c, .kind = FOLLOW_REPLACE, .has_arguments = true, .returns_float = p.returns_float }))
        return RTN_Funptr(rtn);
    replace_add(p.address, c, true, p.returns_float);
    free(c);
    return RTN_Funptr(rtn);
}

/* ---- calling ---- */
static void store_result(PARG_T type, VOID *to)
{
    if (type._parg == PARG_VOID || type._parg == PARG_END || !to)
        return;
    u64 v = arch_call_result(&thr_self.arch, is_float(type._parg));
    __builtin_memcpy(to, &v, MIN(type._size, 8ul));
}

/* The registers of `from` are the function's, those of the tool too; behind it all are as they were. */
static void run(const CONTEXT *from, addr_t fn, const u64 *args, u32 n, PARG_T type, VOID *result)
{
    struct thread *t = &thr_self;
    struct arch_regs saved = t->arch.regs;
    u64 tool_regs[ARCH_TOOL_REGS];
    CONTEXT c;
    __builtin_memcpy(tool_regs, t->arch.tool_reg, sizeof tool_regs);
    PIN_SaveContext(from, &c);
    arch_prepare_call((struct arch_context *)&c, fn, args, n, ARCH_NESTED_RETURN);
    context_give(&c, t);
    t->next_version = replace_has(fn) ? VERSION_ORIGINAL : 0;
    arch_run_nested(t);
    store_result(type, result);
    t->arch.regs = saved;
    __builtin_memcpy(t->arch.tool_reg, tool_regs, sizeof tool_regs);
}

VOID PIN_CallApplicationFunction(const CONTEXT *ctxt, THREADID tid, CALLINGSTD_TYPE standard, AFUNPTR fun,
                                 CALL_APPLICATION_FUNCTION_PARAM *param, ...)
{
    not_in_probe_mode("PIN_CallApplicationFunction");
    u64 args[MAX_CALL_ARGS];
    u32 n = 0;
    va_list ap;
    va_start(ap, param);
    PARG_T type = va_arg(ap, PARG_T);
    bool is_bare = type._parg == PARG_END;                       /* neither result nor arguments */
    if (is_bare)
        type._parg = PARG_VOID;
    VOID *result = type._parg == PARG_VOID ? NULL : va_arg(ap, VOID *);
    for (PARG_T a; !is_bare && (a = va_arg(ap, PARG_T))._parg != PARG_END;) {
        if (n == MAX_CALL_ARGS || is_float(a._parg) || a._size > 8)
            api_fatal("PIN_CallApplicationFunction: arguments are integers and pointers, %d at the most", MAX_CALL_ARGS);
        args[n++] = va_arg(ap, u64);
    }
    va_end(ap);
    addr_t chosen = image_shows_resolvers() ? 0 : ifunc_chosen((addr_t)fun);
    run(ctxt, chosen ? chosen : (addr_t)fun, args, n, type, result);
}
