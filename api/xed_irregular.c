/* xed_irregular.c: suppressed operands that follow no rule, as a table; and the x87 instructions.
 *
 * A row replaces all suppressed operands that the decoder reports. REG_INVALID_ in a row stands for machine state
 * that is no register of the REG enumeration: time stamp, model-specific registers, shadow stack pointer, x87 stack
 * movement. */
#include "api/xed_int.h"
#include "api/xed_operand.h"

enum { R = XV_READ, W = XV_WRITE, RW = R | W, RCW = R | W | XV_COND_WRITE, NOT = REG_INVALID_ };

/* before: in front of the visible ones */
struct row { u16 iclass; bool before; struct { u16 reg; u8 access; } s[6]; };

#define ROW(name, ...) { XED_ICLASS_##name, false, { __VA_ARGS__ } }
static const struct row rows[] = {
    ROW(SYSCALL, { REG_RIP, W }, { REG_RCX, W }, { REG_R11, W }, { REG_RFLAGS, W }),
    ROW(SYSRET, { REG_EIP, W }, { REG_ECX, R }, { REG_RFLAGS, W }),
    ROW(SYSRET64, { REG_RIP, W }, { REG_RCX, R }, { REG_R11, R }, { REG_RFLAGS, W }),
    ROW(RDTSC, { REG_EAX, W }, { REG_EDX, W }, { NOT, R }),
    ROW(RDTSCP, { REG_EAX, W }, { REG_EDX, W }, { REG_ECX, W }, { NOT, R }, { NOT, R }),
    ROW(RDMSR, { REG_EAX, W }, { REG_EDX, W }, { REG_ECX, R }, { NOT, R }),
    ROW(RDPMC, { REG_EAX, W }, { REG_EDX, W }, { REG_ECX, R }, { NOT, R }),
    ROW(WRMSR, { REG_EAX, R }, { REG_EDX, R }, { REG_ECX, R }, { NOT, W }),
    ROW(RDPKRU, { REG_EDX, W }, { REG_EAX, W }, { REG_ECX, R }),
    ROW(WRPKRU, { REG_EDX, R }, { REG_EAX, R }, { REG_ECX, R }),
    ROW(MWAIT, { REG_EAX, R }, { REG_ECX, R }),
    ROW(MWAITX, { REG_EAX, RW }, { REG_ECX, R }),
    ROW(SWAPGS, { REG_SEG_GS_BASE, RW }),
    ROW(RDFSBASE, { REG_SEG_FS_BASE, R }),
    ROW(RDGSBASE, { REG_SEG_GS_BASE, R }),
    ROW(WRFSBASE, { REG_SEG_FS_BASE, W }),
    ROW(WRGSBASE, { REG_SEG_GS_BASE, W }),
    ROW(RDPID, { NOT, R }),
    ROW(RDSSPD, { NOT, R }),
    ROW(RDSSPQ, { NOT, R }),
    ROW(INCSSPD, { NOT, RW }),
    ROW(INCSSPQ, { NOT, RW }),
    ROW(RSTORSSP, { NOT, W }),
    ROW(SAVEPREVSSP, { NOT, R }),
    ROW(CMC, { REG_RFLAGS, RW }),
    ROW(ADCX, { REG_RFLAGS, RW }),
    ROW(ADOX, { REG_RFLAGS, RW }),
    ROW(FXSAVE, { REG_FPCW, R }),
    ROW(FXSAVE64, { REG_FPCW, R }),
    ROW(FXRSTOR, { REG_FPCW, W }),
    ROW(FXRSTOR64, { REG_FPCW, W }),
    ROW(FLDCW, { REG_FPCW, W }, { REG_FPSW, W }),
    ROW(FNSTCW, { REG_FPCW, R }, { REG_FPSW, W }),
    ROW(FNSTSW, { REG_FPSW, RW }),
    ROW(FNINIT, { REG_FPCW, W }, { REG_FPTAG, W }, { REG_FPSW, W }),
    ROW(FRSTOR, { REG_FPCW, W }),
    ROW(FNSAVE, { REG_FPCW, RW }, { REG_FPTAG, RW }, { REG_FPSW, RW }),
    ROW(FFREE, { REG_FPTAG, W }),
    ROW(FFREEP, { REG_FPTAG, W }, { NOT, R }),
    ROW(FDECSTP, { REG_FPSW, RW }),
    ROW(FINCSTP, { REG_FPSW, RW }),
    ROW(FUCOMPP, { REG_ST0, R }, { REG_ST1, R }, { NOT, RW }, { REG_FPSW, RW }),
    ROW(FCOMPP, { REG_ST0, R }, { REG_ST1, R }, { NOT, R }, { REG_FPSW, RW }),
    { XED_ICLASS_XABORT, true, { { REG_EAX, RCW } } },
};

static void push_row(struct xv_insn *x, const struct row *r)
{
    for (u32 k = 0; k < ARRAY_LEN(r->s) && r->s[k].access; k++)
        xv_push(x, xv_suppressed((REG)r->s[k].reg, r->s[k].access));
}

bool xv_list_irregular(struct xv_insn *x, const struct xv_decoded *d)
{
    for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
        if (rows[k].iclass != x->iclass)
            continue;
        if (rows[k].before)
            push_row(x, &rows[k]);
        xv_push_visible(x, d);
        if (!rows[k].before)
            push_row(x, &rows[k]);
        return true;
    }
    return false;
}

/* ---- x87 ---- */

/* Pushes or pops its register stack: XED notes that as an operand before the status word. */
static bool moves_stack(u32 iclass)
{
    switch (iclass) {
    case XED_ICLASS_FLD: case XED_ICLASS_FILD: case XED_ICLASS_FBLD: case XED_ICLASS_FLD1: case XED_ICLASS_FLDL2T:
    case XED_ICLASS_FLDL2E: case XED_ICLASS_FLDPI: case XED_ICLASS_FLDLG2: case XED_ICLASS_FLDLN2:
    case XED_ICLASS_FLDZ: case XED_ICLASS_FSTP: case XED_ICLASS_FSTPNCE: case XED_ICLASS_FISTP:
    case XED_ICLASS_FISTTP: case XED_ICLASS_FBSTP: case XED_ICLASS_FADDP: case XED_ICLASS_FMULP:
    case XED_ICLASS_FSUBP: case XED_ICLASS_FSUBRP: case XED_ICLASS_FDIVP: case XED_ICLASS_FDIVRP:
    case XED_ICLASS_FCOMP: case XED_ICLASS_FICOMP: case XED_ICLASS_FUCOMP: case XED_ICLASS_FCOMIP:
    case XED_ICLASS_FUCOMIP: case XED_ICLASS_FYL2X: case XED_ICLASS_FYL2XP1: case XED_ICLASS_FPATAN:
    case XED_ICLASS_FPTAN:
    case XED_ICLASS_FXTRACT: case XED_ICLASS_FSINCOS: return true;
    default: return false;
    }
}

static bool is_hidden_st(const struct xv_operand *o)
{
    return o->visibility == XV_SUPPRESSED && o->kind == XV_REG && reg_class((REG)o->reg) == REG_CLASS_ST;
}

/* ST0 beside an explicit operand is printed, hence implicit. `fadd mem` alone is an exception. */
static void push_hidden_st(struct xv_insn *x, const struct xv_decoded *d)
{
    bool is_fadd_memory = x->iclass == XED_ICLASS_FADD && d->op[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
    bool is_implicit = d->i.operand_count_visible && !is_fadd_memory;
    for (u32 k = 0; k < d->i.operand_count; k++) {
        struct xv_operand o = xv_convert(&d->op[k]);
        if (!is_hidden_st(&o))
            continue;
        if (is_implicit)
            o.visibility = XV_IMPLICIT;
        xv_push(x, o);
    }
}

void xv_list_x87(struct xv_insn *x, const struct xv_decoded *d)
{
    bool stores = d->i.operand_count_visible && xv_convert(&d->op[0]).access == XV_WRITE;
    if (!stores)
        push_hidden_st(x, d);
    xv_push_visible(x, d);
    if (stores)
        push_hidden_st(x, d);
    if (moves_stack(x->iclass))
        xv_push(x, xv_suppressed(REG_INVALID_, R));
    for (u32 flags = 0; flags < 2; flags++)      /* the status word, then rflags */
        for (u32 k = 0; k < d->i.operand_count; k++) {
            struct xv_operand o = xv_convert(&d->op[k]);
            if (o.visibility != XV_SUPPRESSED || is_hidden_st(&o) || (o.reg == REG_RFLAGS) != flags)
                continue;
            if (o.reg == REG_FPSW && x->iclass == XED_ICLASS_FUCOMP)
                o.access = RW;
            if (o.reg == REG_RFLAGS && x->category == XED_CATEGORY_FCMOV)
                o.access = RW;
            xv_push(x, o);
        }
}
