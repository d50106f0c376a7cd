/* insert.c: the Insert functions: an object, a point, a routine, arguments. */
#include "api/image.h"

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

static void insert(const char *function, INS ins, IPOINT action, AFUNPTR fun, u32 flags, va_list ap)
{
    struct iargs p = { .ins = ins, .point = insert_point(function, ins, action), .function = function,
                       .order = CALL_ORDER_DEFAULT };
    if (!fun)
        api_fatal("%s: the analysis routine is NULL", function);
    iargs_parse(&p, ap);
    if (action == IPOINT_ANYWHERE)
        flags |= CALL_ANYWHERE;
    if (code_is_of_routine(ins))
        aot_add(INS_Address(ins), p.point, iargs_call(&p, fun, flags, NULL));
    else
        instr_add(code_index(ins), p.point, iargs_call(&p, fun, flags, instr_new_call));
}

/* A predicate exists on conditional moves and repeated instructions only; elsewhere it is always true. */
static u32 predicated(INS ins, u32 flags) { return xv_is(code_xed(ins), XV_IS_PREDICATED) ? flags | CALL_PREDICATED : flags; }

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
INSERT(INS_InsertIfCall, INS, ins, ins, CALL_IF)
INSERT(INS_InsertThenCall, INS, ins, ins, CALL_THEN)
INSERT(INS_InsertIfPredicatedCall, INS, ins, ins, CALL_IF)
INSERT(INS_InsertThenPredicatedCall, INS, ins, ins, predicated(ins, CALL_THEN))

static INS bbl_place(BBL bbl, IPOINT p) { return p == IPOINT_AFTER || p == IPOINT_TAKEN_BRANCH ? BBL_InsTail(bbl) : BBL_InsHead(bbl); }
INSERT(BBL_InsertCall, BBL, bbl, bbl_place(bbl, action), 0)
INSERT(BBL_InsertIfCall, BBL, bbl, bbl_place(bbl, action), CALL_IF)
INSERT(BBL_InsertThenCall, BBL, bbl, bbl_place(bbl, action), CALL_THEN)

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
INSERT_IN_TRACE(TRACE_InsertIfCall, CALL_IF)
INSERT_IN_TRACE(TRACE_InsertThenCall, CALL_THEN)

/* ---- changes ---- */
VOID INS_Delete(INS ins) { instr_request(code_index(ins))->is_deleted = true; }

static struct inserted_jump *jump_at(INS ins, IPOINT p, const char *function)
{
    if (p != IPOINT_BEFORE && p != IPOINT_AFTER)
        api_fatal("%s: IPOINT_BEFORE and IPOINT_AFTER only", function);
    struct inserted_jump *j = &instr_request(code_index(ins))->jump[insert_point(function, ins, p)];
    j->is_on = true;
    return j;
}

VOID INS_InsertDirectJump(INS ins, IPOINT p, ADDRINT target)
{
    struct inserted_jump *j = jump_at(ins, p, "INS_InsertDirectJump");
    j->is_indirect = false;
    j->to = target;
}

VOID INS_InsertIndirectJump(INS ins, IPOINT p, REG reg)
{
    struct inserted_jump *j = jump_at(ins, p, "INS_InsertIndirectJump");
    j->is_indirect = true;
    j->reg = reg_to_id(reg);
    if (j->reg.size != 8 || (j->reg.file != RF_GPR && j->reg.file != RF_TOOL))
        api_fatal("INS_InsertIndirectJump: %s is neither a general nor a tool register", reg_name(reg));
}
