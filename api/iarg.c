/* iarg.c: argument lists of Insert functions: IARGs in, engine arguments out. What does not fit the instruction or the
 * point is the tool's mistake and ends the run with a message that names the place. */
#include "api/iarg.h"
#include <stdlib.h>

/* ---- messages ---- */
static u32 n_parameters(IARG_TYPE t, bool *wide);

/* The tool's file and line stand at the end of the list: go there. */
static void find_place(struct iargs *p)
{
    for (u32 n = 0; p->reader && !p->is_record && !p->line && n < MAX_CALL_ARGS; n++) {
        IARG_TYPE t = (IARG_TYPE)read_u32(p->reader);
        bool wide;
        if (t >= IARG_LAST)
            return;
        for (u32 k = n_parameters(t, &wide); k; k--) {
            u64 v = wide ? read_u64(p->reader) : read_u32(p->reader);
            if (t == IARG_FILE_NAME)
                p->file = (const char *)v;
            else if (t == IARG_LINE_NO)
                p->line = (u32)v;
        }
    }
}

static NORETURN void refuse(struct iargs *p, const char *iarg, const char *why)
{
    char text[128] = "";
    find_place(p);
    if (p->ins.index)
        xv_format(code_xed(p->ins), text, sizeof text);
    if (p->file)
        api_fatal("%s:%u: %s: %s %s%s%s", p->file, p->line, p->function, iarg, why, *text ? ": " : "", text);
    api_fatal("%s: %s %s%s%s", p->function, iarg, why, *text ? ": " : "", text);
}

static struct arg *add(struct iargs *p, enum arg_kind kind)
{
    if (p->n == MAX_CALL_ARGS)
        api_fatal("%s: more than %d arguments", p->function, MAX_CALL_ARGS);
    struct arg *a = &p->arg[p->n++];
    *a = (struct arg){ .kind = (u8)kind, .offset_size = 8 };
    return a;
}

static void add_const(struct iargs *p, u64 value, u32 size)
{
    struct arg *a = add(p, ARG_CONST);
    a->value = value;
    a->offset_size = (u8)size;
}

static void need(struct iargs *p, bool ok, const char *iarg, const char *why)
{
    if (!ok)
        refuse(p, iarg, why);
}

/* The instruction; decoded when the first argument asks for it. */
static const struct xv_insn *view(struct iargs *p)
{
    need(p, p->ins.index != 0, "this IARG", "is for instructions only");
    return code_xed(p->ins);
}

/* ---- registers ---- */
static struct reg_id take_reg(struct iargs *p, REG reg, const char *iarg)
{
    struct reg_id r = reg_to_id(reg);
    need(p, r.file != RF_NONE, iarg, "wants a register that a tool can use");
    return r;
}

static void add_reg(struct iargs *p, REG reg, const char *iarg)
{
    struct reg_id r = take_reg(p, reg, iarg);
    need(p, REG_valid_for_iarg_reg_value(reg), iarg, "takes integer registers only: use IARG_REG_CONST_REFERENCE");
    struct arg *a = add(p, ARG_REG);
    a->reg = r;
    if (r.file == RF_PC && p->point == POINT_BEFORE && !p->is_probe) {
        a->kind = ARG_CONST;
        a->value = INS_Address(p->ins);
    }
}

static void add_reg_ref(struct iargs *p, REG reg, enum arg_kind kind, const char *iarg)
{
    struct reg_id r = take_reg(p, reg, iarg);
    need(p, r.file != RF_PC || kind == ARG_REG_CONST_REF, iarg, "cannot change the instruction pointer: use PIN_ExecuteAt");
    add(p, kind)->reg = r;
}

static void add_gpr(struct iargs *p, u32 num) { add(p, ARG_REG)->reg = (struct reg_id){ RF_GPR, (u8)num, 0, 8 }; }

static void add_gpr_ref(struct iargs *p, u32 num) { add(p, ARG_REG_REF)->reg = (struct reg_id){ RF_GPR, (u8)num, 0, 8 }; }

/* ---- memory ---- */
static void add_address(struct iargs *p, const struct xv_operand *o)
{
    struct arg *a = add(p, ARG_ADDRESS);
    address_of(view(p), o, &a->address);
    if (a->address.base < 0 && a->address.index < 0 && !a->address.seg) {
        u64 v = (u64)a->address.disp;
        a->kind = ARG_CONST;
        a->value = v;
    }
}

/* Behind an instruction its registers may no longer tell the address: it is worked out before, by a call of its own that runs last
 * and keeps it in a register that tools do not have. */
enum { FIRST_KEPT = REG_INST_G29 - REG_INST_G0 + 1, N_KEPT = ARCH_TOOL_REGS - FIRST_KEPT };
static ADDRINT same(ADDRINT address) { return address; }

static void add_kept_address(struct iargs *p, UINT32 k)
{
    struct reg_id kept = { RF_TOOL, (u8)(FIRST_KEPT + k), 0, 8 };
    struct iargs before;
    iargs_begin(&before, p->function, p->ins, POINT_BEFORE);
    add_address(&before, xv_memop(view(p), k));
    before.order = CALL_ORDER_LAST;
    before.result = kept;
    before.returns = true;
    insert_made(p->ins, &before, (AFUNPTR)(VOID (*)(void))same, 0);
    add(p, ARG_REG)->reg = kept;
}

static void add_memop(struct iargs *p, UINT32 k, const char *iarg)
{
    const struct xv_insn *x = view(p);
    need(p, k < x->n_memory, iarg, "names a memory operand that the instruction does not have");
    if (p->point != POINT_BEFORE && k < N_KEPT && !p->is_probe) {
        add_kept_address(p, k);
        return;
    }
    need(p, p->point == POINT_BEFORE, iarg, "is for IPOINT_BEFORE");
    add_address(p, xv_memop(x, k));
}

/* As the tool's translation has it; without one it is the address itself. */
static bool add_translated(struct iargs *p, UINT32 k, bool is_write)
{
    if (!has_translation() || p->point != POINT_BEFORE || k >= view(p)->n_memory)
        return false;
    add(p, ARG_HOOK)->value = hook_translated(p->ins, k, is_write);
    return true;
}

static const struct xv_operand *memop_with(const struct xv_insn *x, u32 access, u32 skip)
{
    for (u32 k = 0; k < x->n_memory; k++)
        if (xv_memop(x, k)->access & access && !skip--)
            return xv_memop(x, k);
    return NULL;
}

static void add_access(struct iargs *p, u32 access, u32 skip, const char *iarg)
{
    const struct xv_operand *o = memop_with(view(p), access, skip);
    need(p, o != NULL, iarg, "is used on an instruction that has no such memory operand");
    need(p, p->point == POINT_BEFORE, iarg, "is for IPOINT_BEFORE");
    add_address(p, o);
}

static void add_access_ptr(struct iargs *p, u32 access, u32 skip, const char *iarg)
{
    const struct xv_operand *o = memop_with(view(p), access, skip);
    if (!o || !add_translated(p, o->memop, access == XV_WRITE))
        add_access(p, access, skip, iarg);
}

static void add_memop_ptr(struct iargs *p, UINT32 k)
{
    if (!add_translated(p, k, k < view(p)->n_memory && xv_memop(view(p), k)->access & XV_WRITE))
        add_memop(p, k, "IARG_MEMORYOP_PTR");
}

static void add_elements(struct iargs *p, UINT32 k)
{
    const struct xv_insn *x = view(p);
    need(p, k < x->n_operands && (x->op[k].kind == XV_REG || x->op[k].kind == XV_MEM), "IARG_MULTI_ELEMENT_OPERAND",
         "names no register or memory operand");
    need(p, p->point == POINT_BEFORE, "IARG_MULTI_ELEMENT_OPERAND", "is for IPOINT_BEFORE");
    add(p, ARG_HOOK)->value = hook_elements(p->ins, k);
}

static void add_scattered(struct iargs *p, UINT32 k)
{
    need(p, k < view(p)->n_memory && xv_is(view(p), XV_IS_SCATTERED), "IARG_REWRITE_SCATTERED_MEMOP", "is for gathers and scatters");
    need(p, p->point == POINT_BEFORE, "IARG_REWRITE_SCATTERED_MEMOP", "is for IPOINT_BEFORE");
    add(p, ARG_HOOK)->value = hook_scattered(p->ins, k);
}

/* ---- control flow ---- */
/* Tools put it on every instruction: what is no branch is never taken. A system call leaves the straight path, so it is. */
static void add_taken(struct iargs *p)
{
    const struct xv_insn *x = view(p);
    bool is_branch = xv_is(x, XV_IS_CONTROL_FLOW) || xv_is(x, XV_IS_SYSCALL);
    if (p->point == POINT_TAKEN || code_insn(p->ins)->kind != INSN_COND)
        add_const(p, is_branch, 1);
    else
        add(p, ARG_TAKEN)->offset_size = 1;
}

static void add_target(struct iargs *p)
{
    const struct xv_insn *x = view(p);
    need(p, xv_is(x, XV_IS_CONTROL_FLOW), "IARG_BRANCH_TARGET_ADDR", "is used on an instruction that is no branch");
    if (xv_is(x, XV_IS_DIRECT_CONTROL_FLOW)) {
        add_const(p, xv_target(x), 8);
        return;
    }
    struct arg *a = add(p, ARG_TARGET);
    a->address = (struct arch_address){ .base = RSP, .index = -1 };       /* a return */
    for (u32 k = 0; k < x->n_operands && !xv_is(x, XV_IS_RET); k++)
        if (x->op[k].visibility == XV_EXPLICIT && x->op[k].kind == XV_MEM) {
            address_of(x, &x->op[k], &a->address);
            return;
        } else if (x->op[k].visibility == XV_EXPLICIT && x->op[k].kind == XV_REG) {
            a->reg = reg_to_id((REG)x->op[k].reg);
            return;
        }
}

static void add_executing(struct iargs *p)
{
    if (xv_is(view(p), XV_IS_PREDICATED))
        add(p, ARG_EXECUTING)->offset_size = 1;
    else
        add_const(p, 1, 1);
}

static void add_first_rep(struct iargs *p)
{
    if (xv_is(view(p), XV_IS_REAL_REP))
        add(p, ARG_FIRST_REP)->offset_size = 1;
    else
        add_const(p, 0, 1);
}

/* ---- routines and system calls: the calling conventions of x86-64 ---- */
static const u8 function_arg[] = { RDI, RSI, RDX, RCX, R8, R9 };
static const u8 syscall_arg[] = { RDI, RSI, RDX, R10, R8, R9 };

/* `above`: words between the stack pointer and the first argument that lies on the stack. */
static void add_funcarg(struct iargs *p, UINT32 n, u32 above, bool is_ref)
{
    if (n < ARRAY_LEN(function_arg) && is_ref)
        add_gpr_ref(p, function_arg[n]);
    else if (n < ARRAY_LEN(function_arg))
        add_gpr(p, function_arg[n]);
    else
        add(p, is_ref ? ARG_STACK_REF : ARG_STACK)->value = 8ul * (n - ARRAY_LEN(function_arg) + above);
}

static void add_sysarg(struct iargs *p, UINT32 n, bool is_ref)
{
    need(p, n < ARRAY_LEN(syscall_arg), "IARG_SYSARG", "counts from 0 to 5");
    if (is_ref)
        add_gpr_ref(p, syscall_arg[n]);
    else
        add_gpr(p, syscall_arg[n]);
}

static void add_context(struct iargs *p, u64 how) { add(p, ARG_CONTEXT)->value = how; }

/* ---- one IARG and its parameters ---- */
static void parse_list(struct iargs *p, struct list_reader *r);

static bool parse_constant(struct iargs *p, IARG_TYPE t, struct list_reader *r)
{
    switch (t) {
    case IARG_ADDRINT: case IARG_UINT64: case IARG_PTR: add_const(p, read_u64(r), 8); return true;
    case IARG_UINT32: add_const(p, read_u32(r), 4); return true;
    case IARG_BOOL: add_const(p, read_u32(r) != 0, 1); return true;
    case IARG_INST_PTR:
        if (p->ins.index)
            add_const(p, INS_Address(p->ins), 8);
        else
            add(p, ARG_HERE);
        return true;
    default: return false;
    }
}

static bool parse_state(struct iargs *p, IARG_TYPE t, struct list_reader *r)
{
    switch (t) {
    case IARG_REG_VALUE: add_reg(p, (REG)read_u32(r), "IARG_REG_VALUE"); return true;
    case IARG_REG_REFERENCE: add_reg_ref(p, (REG)read_u32(r), ARG_REG_REF, "IARG_REG_REFERENCE"); return true;
    case IARG_REG_CONST_REFERENCE:
        add_reg_ref(p, (REG)read_u32(r), ARG_REG_CONST_REF, "IARG_REG_CONST_REFERENCE");
        return true;
    case IARG_CONTEXT: add_context(p, CONTEXT_FULL); return true;
    case IARG_CONST_CONTEXT: add_context(p, CONTEXT_CONST); return true;
    case IARG_PARTIAL_CONTEXT: {
        read_u64(r);                               /* registers that are read: all of them are there */
        add_context(p, CONTEXT_PARTIAL | regset_out_bits((const REGSET *)read_u64(r)));
        return true;
    }
    case IARG_THREAD_ID: add(p, ARG_THREAD)->offset_size = 4; return true;
    case IARG_TSC: add(p, ARG_CLOCK); return true;
    case IARG_RETURN_REGS:
        p->result = take_reg(p, (REG)read_u32(r), "IARG_RETURN_REGS");
        need(p, p->result.file != RF_PC, "IARG_RETURN_REGS", "cannot change the instruction pointer: use PIN_ExecuteAt");
        p->returns = true;
        return true;
    case IARG_EXPOSE:
        need(p, regset_is_only((const REGSET *)read_u64(r), REG_MXCSR), "IARG_EXPOSE", "is for REG_MXCSR, and for that alone");
        p->exposes = true;
        return true;
    case IARG_PRESERVE: p->preserves = regset_has_all_vectors((const REGSET *)read_u64(r)); return true;
    default: return false;
    }
}

static bool parse_memory(struct iargs *p, IARG_TYPE t, struct list_reader *r)
{
    switch (t) {
    case IARG_MEMORYREAD_EA: add_access(p, XV_READ, 0, "IARG_MEMORYREAD_EA"); return true;
    case IARG_MEMORYREAD2_EA: add_access(p, XV_READ, 1, "IARG_MEMORYREAD2_EA"); return true;
    case IARG_MEMORYWRITE_EA: add_access(p, XV_WRITE, 0, "IARG_MEMORYWRITE_EA"); return true;
    case IARG_MEMORYOP_EA: add_memop(p, read_u32(r), "IARG_MEMORYOP_EA"); return true;
    case IARG_MEMORYREAD_PTR: add_access_ptr(p, XV_READ, 0, "IARG_MEMORYREAD_PTR"); return true;
    case IARG_MEMORYREAD2_PTR: add_access_ptr(p, XV_READ, 1, "IARG_MEMORYREAD2_PTR"); return true;
    case IARG_MEMORYWRITE_PTR: add_access_ptr(p, XV_WRITE, 0, "IARG_MEMORYWRITE_PTR"); return true;
    case IARG_MEMORYOP_PTR: add_memop_ptr(p, read_u32(r)); return true;
    case IARG_MULTI_ELEMENT_OPERAND: add_elements(p, read_u32(r)); return true;
    case IARG_REWRITE_SCATTERED_MEMOP: add_scattered(p, read_u32(r)); return true;
    /* A tool may ask for the one where there is only the other: it gets the size that there is. */
    case IARG_MEMORYREAD_SIZE: add_const(p, xv_read_size(view(p)) ?: xv_write_size(view(p)), 4); return true;
    case IARG_MEMORYWRITE_SIZE: add_const(p, xv_write_size(view(p)) ?: xv_read_size(view(p)), 4); return true;
    case IARG_MEMORYOP_SIZE: {
        UINT32 k = read_u32(r);
        const struct xv_insn *x = view(p);
        need(p, k < x->n_memory, "IARG_MEMORYOP_SIZE", "names a memory operand that the instruction does not have");
        add_const(p, xv_memop(x, k)->width / 8u, 4);
        return true;
    }
    case IARG_EXPLICIT_MEMORY_EA:
        need(p, xv_explicit_memory(view(p)) != NULL, "IARG_EXPLICIT_MEMORY_EA", "is used on an instruction without such an operand");
        add_address(p, xv_explicit_memory(view(p)));
        return true;
    case IARG_MULTI_MEMORYACCESS_EA: add(p, ARG_HOOK)->value = hook_multi_access(p->ins); return true;
    case IARG_MEMORYOP_MASKED_ON: add(p, ARG_HOOK)->value = hook_masked_on(p->ins, read_u32(r)); return true;
    default: return false;
    }
}

static bool parse_flow(struct iargs *p, IARG_TYPE t, struct list_reader *r)
{
    switch (t) {
    case IARG_BRANCH_TAKEN: add_taken(p); return true;
    case IARG_BRANCH_TARGET_ADDR: add_target(p); return true;
    case IARG_FALLTHROUGH_ADDR: add_const(p, INS_NextAddress(p->ins), 8); return true;
    case IARG_EXECUTING: add_executing(p); return true;
    case IARG_FIRST_REP_ITERATION: add_first_rep(p); return true;
    default: return false;
    }
}

static bool parse_call(struct iargs *p, IARG_TYPE t, struct list_reader *r)
{
    switch (t) {
    case IARG_FUNCARG_ENTRYPOINT_VALUE: add_funcarg(p, read_u32(r), 1, false); return true;
    case IARG_FUNCARG_ENTRYPOINT_REFERENCE: add_funcarg(p, read_u32(r), 1, true); return true;
    case IARG_FUNCARG_CALLSITE_VALUE: add_funcarg(p, read_u32(r), 0, false); return true;
    case IARG_FUNCARG_CALLSITE_REFERENCE: add_funcarg(p, read_u32(r), 0, true); return true;
    case IARG_FUNCRET_EXITPOINT_VALUE: add_gpr(p, RAX); return true;
    case IARG_FUNCRET_EXITPOINT_REFERENCE: add_gpr_ref(p, RAX); return true;
    case IARG_RETURN_IP: add(p, ARG_STACK)->value = 0; return true;
    case IARG_SYSCALL_NUMBER: add_gpr(p, RAX); return true;
    case IARG_SYSARG_VALUE: add_sysarg(p, read_u32(r), false); return true;
    case IARG_SYSARG_REFERENCE: add_sysarg(p, read_u32(r), true); return true;
    case IARG_SYSRET_VALUE: add(p, ARG_SYSCALL_RESULT); return true;
    case IARG_SYSRET_ERRNO: add(p, ARG_SYSCALL_ERROR)->offset_size = 4; return true;
    case IARG_ORIG_FUNCPTR: add_const(p, p->address, 8); return true;
    case IARG_PROTOTYPE:
        p->returns_float = proto_returns_float((PROTO)read_u64(r));
        p->has_prototype = true;
        return true;
    default: return false;
    }
}

static bool parse_shape(struct iargs *p, IARG_TYPE t, struct list_reader *r)
{
    switch (t) {
    case IARG_CALL_ORDER: p->order = (s32)read_u32(r); return true;
    case IARG_FAST_ANALYSIS_CALL: case IARG_CHECK_INLINE: return true;
    case IARG_IARGLIST: {
        struct list_reader inner = { .list = (struct COTTER_IARGLIST *)read_u64(r) };
        parse_list(p, &inner);
        p->reader = r;
        return true;
    }
    case IARG_FILE_NAME: p->file = (const char *)read_u64(r); return true;
    case IARG_LINE_NO: p->line = read_u32(r); return true;
    default: return false;
    }
}

/* There is no trace in probe mode: only what a routine's entry or exit shows. */
static void check_probe(struct iargs *p, IARG_TYPE t)
{
    switch (t) {
    case IARG_ADDRINT: case IARG_PTR: case IARG_BOOL: case IARG_UINT32: case IARG_UINT64: case IARG_INST_PTR: case IARG_REG_VALUE:
    case IARG_REG_CONST_REFERENCE: case IARG_CONTEXT: case IARG_TSC: case IARG_RETURN_IP: case IARG_ORIG_FUNCPTR:
    case IARG_FUNCARG_ENTRYPOINT_VALUE: case IARG_FUNCARG_ENTRYPOINT_REFERENCE: case IARG_FUNCRET_EXITPOINT_VALUE:
    case IARG_FUNCRET_EXITPOINT_REFERENCE: case IARG_PROTOTYPE: case IARG_CALL_ORDER: case IARG_IARGLIST: case IARG_PRESERVE:
    case IARG_FILE_NAME: case IARG_LINE_NO: return;
    case IARG_FAST_ANALYSIS_CALL: case IARG_CHECK_INLINE: return;
    case IARG_THREAD_ID: refuse(p, "IARG_THREAD_ID", "is not known in probe mode: use PIN_GetTid");
    case IARG_REG_REFERENCE: refuse(p, "IARG_REG_REFERENCE", "is not offered in probe mode");
    case IARG_CONST_CONTEXT: refuse(p, "IARG_CONST_CONTEXT", "is not offered in probe mode: use IARG_CONTEXT");
    case IARG_PARTIAL_CONTEXT: refuse(p, "IARG_PARTIAL_CONTEXT", "is not offered in probe mode: use IARG_CONTEXT");
    case IARG_RETURN_REGS: refuse(p, "IARG_RETURN_REGS", "is not offered in probe mode");
    default: refuse(p, "this IARG", "is for instructions, which probe mode does not see");
    }
}

static void parse_list(struct iargs *p, struct list_reader *r)
{
    p->reader = r;
    for (;;) {
        IARG_TYPE t = (IARG_TYPE)read_u32(r);
        if (t == IARG_LAST)
            return;
        if (p->is_probe)
            check_probe(p, t);
        u32 before = p->n;
        if (!parse_constant(p, t, r) && !parse_shape(p, t, r) && !parse_state(p, t, r) && !parse_memory(p, t, r) &&
            !parse_flow(p, t, r) && !parse_call(p, t, r))
            api_misuse("%s: unknown IARG %d: is IARG_END missing, or a parameter of the wrong size?", p->function, t);
        if (p->is_record && p->n > before)
            p->arg[p->n - 1].offset = (u16)read_u32(r);
    }
}

/* One more argument than the routine takes: with it, the register is at hand when the call is made. */
static void add_exposed(struct iargs *p)
{
    if (p->is_record)
        refuse(p, "IARG_EXPOSE", "is for routines");
    add(p, ARG_REG_CONST_REF)->reg = reg_to_id(REG_MXCSR);
}

void iargs_parse(struct iargs *p, va_list ap)
{
    struct list_reader r = { .list = NULL };
    va_copy(r.ap, ap);
    parse_list(p, &r);
    va_end(r.ap);
    if (p->exposes)
        add_exposed(p);
}

struct call *iargs_call(const struct iargs *p, AFUNPTR fun, u32 flags, struct call *(*alloc)(u32))
{
    struct call *c = alloc ? alloc(p->n) : calloc(1, sizeof *c + p->n * sizeof *c->arg);
    c->fn = (const void *)fun;
    c->order = p->order;
    c->flags = (u8)(flags | (p->returns ? CALL_RETURNS : 0) | (p->preserves ? CALL_PRESERVES : 0));
    c->shares_fp_mode = p->exposes;
    c->result = p->result;
    c->n_args = (u8)p->n;
    for (u32 k = 0; k < p->n; k++)
        c->arg[k] = p->arg[k];
    return c;
}

/* ---- lists that are built piece by piece: the words of the variadic calls, one after the other ---- */
struct COTTER_IARGLIST { u64 *word; u32 n, room; };

u64 list_word(struct COTTER_IARGLIST *l, u32 at) { return at < l->n ? l->word[at] : IARG_LAST; }

IARGLIST IARGLIST_Alloc(VOID) { return calloc(1, sizeof(struct COTTER_IARGLIST)); }

VOID IARGLIST_Free(IARGLIST l)
{
    free(l->word);
    free(l);
}

static void append(struct COTTER_IARGLIST *l, u64 w)
{
    if (l->n == l->room) {
        l->room = l->room ? l->room * 2 : 16;
        l->word = realloc(l->word, l->room * sizeof *l->word);
    }
    l->word[l->n++] = w;
}

/* How many parameters follow an IARG, and which of them are 64 bits wide. */
static u32 n_parameters(IARG_TYPE t, bool *wide)
{
    *wide = t == IARG_ADDRINT || t == IARG_PTR || t == IARG_UINT64 || t == IARG_PARTIAL_CONTEXT || t == IARG_PRESERVE || t == IARG_EXPOSE ||
            t == IARG_IARGLIST || t == IARG_FILE_NAME || t == IARG_PROTOTYPE;
    switch (t) {
    case IARG_PARTIAL_CONTEXT: return 2;
    case IARG_BOOL: case IARG_UINT32: case IARG_REG_VALUE: case IARG_REG_REFERENCE: case IARG_REG_CONST_REFERENCE:
    case IARG_MEMORYOP_EA: case IARG_MEMORYOP_PTR: case IARG_MEMORYOP_SIZE: case IARG_MEMORYOP_MASKED_ON:
    case IARG_REWRITE_SCATTERED_MEMOP: case IARG_MULTI_ELEMENT_OPERAND: case IARG_FUNCARG_ENTRYPOINT_VALUE: case IARG_FUNCARG_ENTRYPOINT_REFERENCE: case IARG_FUNCARG_CALLSITE_VALUE:
    case IARG_FUNCARG_CALLSITE_REFERENCE: case IARG_SYSARG_VALUE: case IARG_SYSARG_REFERENCE: case IARG_RETURN_REGS:
    case IARG_CALL_ORDER: case IARG_LINE_NO: return 1;
    default: return *wide;
    }
}

VOID IARGLIST_AddArguments(IARGLIST l, ...)
{
    va_list ap;
    va_start(ap, l);
    for (;;) {
        IARG_TYPE t = (IARG_TYPE)va_arg(ap, int);
        bool wide;
        if (t == IARG_LAST)
            break;
        append(l, (u64)t);
        for (u32 k = n_parameters(t, &wide); k; k--)
            append(l, wide ? va_arg(ap, u64) : (u64)va_arg(ap, u32));
    }
    va_end(ap);
}
