/* insert.c: the Insert functions: an object, a point, a routine, arguments. */
#include "api/image.h"
#include "engine/jit/context.h"

static const char *point_name(IPOINT p)
{
    static const char *const names[] = { "IPOINT_INVALID", "IPOINT_BEFORE", "IPOINT_AFTER", "IPOINT_ANYWHERE", "IPOINT_TAKEN_BRANCH" };
    return p <= IPOINT_TAKEN_BRANCH ? names[p] : "an unknown IPOINT";
}

static NORETURN void refuse_point(const char *function, INS ins, IPOINT p)
{
    char text[128];
    xv_format(code_xed(ins), text, sizeof text);
    api_fatal("%s: %s is not possible at \"%s\" (0x%lx)", function, point_name(p), text, INS_Address(ins));
}

enum point insert_point(const char *function, INS ins, IPOINT p)
{
    if (p == IPOINT_BEFORE || p == IPOINT_ANYWHERE)
        return POINT_BEFORE;                        /* always possible: not worth decoding */
    const struct xv_insn *x = code_xed(ins);
    if (p == IPOINT_AFTER && xv_is(x, XV_IS_VALID_FOR_AFTER))
        return POINT_AFTER;
    if (p == IPOINT_TAKEN_BRANCH && xv_is(x, XV_IS_VALID_FOR_TAKEN))
        return POINT_TAKEN;
    refuse_point(function, ins, p);
}

/* XED counts xbegin and xend among the conditional branches, and they have a fall-through: tools ask for both edges. No transaction
 * begins here (xbegin fails at once, which is no branch to be seen, and xend is not reached), so nothing is ever to be called. */
bool insert_is_never(INS ins, IPOINT p)
{
    if (p != IPOINT_TAKEN_BRANCH && p != IPOINT_AFTER)
        return false;
    return xv_is(code_xed(ins), XV_IS_XEND) || xv_is(code_xed(ins), XV_IS_XBEGIN);
}

void insert_made(INS ins, const struct iargs *p, AFUNPTR fun, u32 flags)
{
    if (code_is_of_routine(ins))
        aot_add(INS_Address(ins), p->point, iargs_call(p, fun, flags, NULL));
    else
        instr_add(code_index(ins), p->point, iargs_call(p, fun, flags, instr_new_call));
}

/* Behind a repeated instruction its count does not tell any more whether it was executed: that is noted before it. */
static __thread ADDRINT has_executed;
static VOID note_executing(BOOL is_executing) { has_executed = is_executing; }
static ADDRINT has_been_executed() { return has_executed; }

static bool is_behind_repetition(INS ins, IPOINT action, u32 flags)
{
    return action == IPOINT_AFTER && flags == CALL_PREDICATED && xv_is(code_xed(ins), XV_IS_REAL_REP);
}

/* The If to a call behind it. */
static void add_executed(INS ins, CALL_ORDER order)
{
    struct iargs test;
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)note_executing, IARG_EXECUTING, IARG_CALL_ORDER, CALL_ORDER_LAST, IARG_END);
    iargs_begin(&test, "INS_InsertPredicatedCall", ins, POINT_AFTER);
    test.order = order;
    insert_made(ins, &test, (AFUNPTR)(VOID (*)(void))has_been_executed, CALL_IF);
}

static void insert(const char *function, INS ins, IPOINT action, AFUNPTR fun, u32 flags, va_list ap)
{
    if (insert_is_never(ins, action))
        return;
    struct iargs p;
    iargs_begin(&p, function, ins, insert_point(function, ins, action));
    if (!fun)
        api_fatal("%s: the analysis routine is NULL", function);
    iargs_parse(&p, ap);
    if (action == IPOINT_ANYWHERE)
        flags |= CALL_ANYWHERE;
    if (is_behind_repetition(ins, action, flags)) {
        add_executed(ins, p.order);
        flags = CALL_THEN;
    }
    insert_made(ins, &p, fun, flags);
}

/* A predicate exists on conditional moves and repeated instructions only; elsewhere it is always true. */
static u32 predicated(INS ins, u32 flags) { return xv_is(code_xed(ins), XV_IS_PREDICATED) ? flags | CALL_PREDICATED : flags; }

/* A predicate asked for with the If holds for its Then: the If runs in any case. The Then is the next call that is inserted, and
 * instrumentation runs on one thread at a time. */
static bool is_then_predicated, has_if;
static u32 if_flags(bool is_predicated)
{
    is_then_predicated = is_predicated;
    has_if = true;
    return CALL_IF;
}
static u32 then_flags(void)
{
    if (!has_if)
        api_misuse("a Then call is inserted without an If call before it");
    has_if = false;
    return CALL_THEN;
}
u32 insert_then_flags(INS ins)
{
    bool is_predicated = is_then_predicated;
    is_then_predicated = false;
    return is_predicated ? predicated(ins, then_flags()) : then_flags();
}

#define INSERT(name, Object, object, ins, flags) \
    VOID name(Object object, IPOINT action, AFUNPTR fun, ...) \
    { \
        va_list ap; \
        va_start(ap, fun); \
        insert(#name, ins, action, fun, flags, ap); \
        va_end(ap); \
    }

INSERT(INS_InsertCall, INS, ins, ins, 0)
INSERT(INS_InsertPredicatedCall, INS, ins, ins, predicated(ins, 0))
INSERT(INS_InsertIfCall, INS, ins, ins, if_flags(false))
INSERT(INS_InsertThenCall, INS, ins, ins, insert_then_flags(ins))
INSERT(INS_InsertIfPredicatedCall, INS, ins, ins, if_flags(true))
INSERT(INS_InsertThenPredicatedCall, INS, ins, ins, predicated(ins, then_flags()))

static INS bbl_place(BBL bbl, IPOINT p) { return p == IPOINT_AFTER || p == IPOINT_TAKEN_BRANCH ? BBL_InsTail(bbl) : BBL_InsHead(bbl); }
INSERT(BBL_InsertCall, BBL, bbl, bbl_place(bbl, action), 0)
INSERT(BBL_InsertIfCall, BBL, bbl, bbl_place(bbl, action), if_flags(false))
INSERT(BBL_InsertThenCall, BBL, bbl, bbl_place(bbl, action), then_flags())

static void insert_in_trace(const char *function, TRACE trace, IPOINT action, AFUNPTR fun, u32 flags, va_list ap)
{
    if (action != IPOINT_TAKEN_BRANCH) {
        insert(function, bbl_place(action == IPOINT_AFTER ? TRACE_BblTail(trace) : TRACE_BblHead(trace), action), action, fun,
               flags, ap);
        return;
    }
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        INS ins = BBL_InsTail(bbl);
        va_list again;
        va_copy(again, ap);
        if (xv_is(code_xed(ins), XV_IS_VALID_FOR_TAKEN))
            insert(function, ins, action, fun, flags, again);
        va_end(again);
    }
}

#define INSERT_IN_TRACE(name, flags) \
    VOID name(TRACE trace, IPOINT action, AFUNPTR fun, ...) \
    { \
        va_list ap; \
        va_start(ap, fun); \
        insert_in_trace(#name, trace, action, fun, flags, ap); \
        va_end(ap); \
    }

INSERT_IN_TRACE(TRACE_InsertCall, 0)
INSERT_IN_TRACE(TRACE_InsertIfCall, if_flags(false))
INSERT_IN_TRACE(TRACE_InsertThenCall, then_flags())

/* ---- versions ---- */
/* A version may be any word, a pointer too; the engine has numbers. Large ones are called by their place in a list. */
enum { FIRST_LARGE = 0x7000 };
static ADDRINT large[CONTEXT_FIRST - FIRST_LARGE];
static u32 n_large;

static u32 version_number(const char *function, ADDRINT version)
{
    u32 i = 0;
    if (version < FIRST_LARGE)
        return (u32)version;
    while (i < n_large && large[i] != version)
        i++;
    if (i == CONTEXT_FIRST - FIRST_LARGE)
        api_fatal("%s: more than %u versions that are no numbers below %u", function, i, FIRST_LARGE);
    if (i == n_large)
        large[n_large++] = version;
    return FIRST_LARGE + i;
}

ADDRINT insert_version(u32 number)
{
    return number >= FIRST_LARGE && number < CONTEXT_FIRST ? large[number - FIRST_LARGE] : number;
}

VOID BBL_SetTargetVersion(BBL bbl, ADDRINT version)
{
    struct insn_request *r = instr_request(code_index(BBL_InsTail(bbl)));
    r->has_version = true;
    r->version = version_number("BBL_SetTargetVersion", version);
}

VOID INS_InsertVersionCase(INS ins, REG reg, INT32 value, ADDRINT version, ...)
{
    struct iargs p;
    iargs_begin(&p, "INS_InsertVersionCase", ins, POINT_BEFORE);
    struct reg_id r = reg_to_id(reg);
    va_list ap;
    va_start(ap, version);
    iargs_parse(&p, ap);
    va_end(ap);
    if (p.n)
        api_fatal("INS_InsertVersionCase: IARG_CALL_ORDER is the only argument");
    if (r.file != RF_TOOL || r.size != 8)
        api_fatal("INS_InsertVersionCase: %s is no tool register: claim one with PIN_ClaimToolRegister", reg_name(reg));
    bool is_ahead = code_is_of_routine(ins);
    struct call *c = iargs_call(&p, NULL, 0, is_ahead ? NULL : instr_new_call);
    c->is_case = true;
    c->result = r;
    c->value = value;
    c->version = version_number("INS_InsertVersionCase", version);
    if (is_ahead)
        aot_add(INS_Address(ins), POINT_BEFORE, c);
    else
        instr_add(code_index(ins), POINT_BEFORE, c);
}

/* ---- changes: of a trace at once, of an open routine whenever it is translated ---- */
static void change(INS ins, const struct aot_change *c)
{
    if (code_is_of_routine(ins))
        aot_add_change(INS_Address(ins), c);
    else
        insert_change(code_index(ins), c);
}

void insert_change(u32 i, const struct aot_change *c)
{
    struct insn_request *r = instr_request(i);
    switch (c->kind) {
    case CHANGE_DELETE: r->is_deleted = true; break;
    case CHANGE_JUMP: r->jump[c->point] = c->jump; break;
    case CHANGE_MOVE:
        r->is_moved = true;
        r->moved[c->part] = c->reg;
        break;
    }
}

VOID INS_Delete(INS ins) { change(ins, &(struct aot_change){ .kind = CHANGE_DELETE }); }

static void add_jump(INS ins, IPOINT p, struct inserted_jump j, const char *function)
{
    if (p != IPOINT_BEFORE && p != IPOINT_AFTER)
        api_fatal("%s: IPOINT_BEFORE and IPOINT_AFTER only", function);
    change(ins, &(struct aot_change){ .kind = CHANGE_JUMP, .point = (u8)insert_point(function, ins, p), .jump = j });
}

VOID INS_InsertDirectJump(INS ins, IPOINT p, ADDRINT target)
{
    add_jump(ins, p, (struct inserted_jump){ .is_on = true, .to = target }, "INS_InsertDirectJump");
}

VOID INS_InsertIndirectJump(INS ins, IPOINT p, REG reg)
{
    struct inserted_jump j = { .is_on = true, .is_indirect = true, .reg = reg_to_id(reg) };
    if (j.reg.size != 8 || (j.reg.file != RF_GPR && j.reg.file != RF_TOOL))
        api_fatal("INS_InsertIndirectJump: %s is neither a general nor a tool register", reg_name(reg));
    add_jump(ins, p, j, "INS_InsertIndirectJump");
}

/* Which of the engine's parts a memory operand is; N_PARTS: none. */
static enum memory_part part_of(const struct xv_insn *x, const struct xv_operand *o)
{
    if (o->visibility == XV_EXPLICIT)
        return PART_EXPLICIT;
    if (xv_is(x, XV_IS_STRINGOP))
        return o->base == REG_RSI ? PART_SOURCE : o->base == REG_RDI ? PART_DESTINATION : N_PARTS;
    return o->base == REG_RSP || x->iclass == XED_ICLASS_LEAVE ? PART_STACK : N_PARTS;
}

VOID INS_RewriteMemoryOperand(INS ins, UINT32 memop, REG reg)
{
    const struct xv_insn *x = code_xed(ins);
    struct reg_id r = reg_to_id(reg);
    if (memop >= x->n_memory)
        api_fatal("INS_RewriteMemoryOperand: there is no memory operand %u: %s", memop, INS_Disassemble(ins));
    if (r.file != RF_TOOL || r.size != 8)
        api_fatal("INS_RewriteMemoryOperand: %s is no tool register: claim one with PIN_ClaimToolRegister", reg_name(reg));
    enum memory_part part = part_of(x, xv_memop(x, memop));
    if (part == N_PARTS || !arch_can_move(code_insn(ins), part))
        api_fatal("INS_RewriteMemoryOperand: memory operand %u cannot be elsewhere: %s", memop, INS_Disassemble(ins));
    change(ins, &(struct aot_change){ .kind = CHANGE_MOVE, .part = (u8)part, .reg = (u8)(r.num + 1) });
}
