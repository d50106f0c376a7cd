/* body.c: what of a routine can stand in the place of a call: its instructions in a line, without a frame. Branches lead
 * forward; routines that it calls or ends in stand where they are called, if they are of the same kind. */
#include "arch/x86/inline.h"
#include "base/heap.h"
#include "engine/engine.h"

/* ---- which instructions ---- */
static bool is_nop(const struct x86_insn *x)
{
    if (x->enc != X86_ENC_LEGACY)
        return false;
    if (x->map == X86_MAP_1)
        return x->opcode == 0x90 && !(x->rex & 1);
    return x->map == X86_MAP_0F && (x->opcode == 0x1e || x->opcode == 0x1f);     /* endbr64, nop r/m */
}

/* put_head knows these prefixes only. */
static bool has_plain_prefixes(const struct body_insn *b)
{
    u32 i = 0, opcode = b->x.map == X86_MAP_0F ? b->x.opcode_off - 1u : b->x.opcode_off;
    while (b->at[i] == 0x66 || b->at[i] == 0xf0 || b->at[i] == 0xf2 || b->at[i] == 0xf3 || b->at[i] == 0x64)
        i++;
    return i + (b->x.rex != 0) == opcode;
}

static bool may_stand_alone(const struct body_insn *b)
{
    const struct x86_insn *x = &b->x;
    u16 all = (u16)(b->u.reads | b->u.writes);
    if (is_nop(x))
        return true;
    return x->kind == X86_PLAIN && b->u.exact && x->enc == X86_ENC_LEGACY && !(all & ~CALLER_SAVED) && !x->addr32 &&
           !((b->u.flags_written | b->u.flags_read) & X86_DF) && (x->map == X86_MAP_1 || x->map == X86_MAP_0F) && x->disp_size != 8 &&
           x->seg != X86_SEG_GS && has_plain_prefixes(b) && !x86_touches_vectors(x);
}

/* sub rsp, 8 around a call: nothing here needs the alignment. Memory of the stack is not touched, so it is balanced. */
static bool is_adjustment(const struct x86_insn *x)
{
    u32 which = x->modrm >> 3 & 7;
    return x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 && (x->opcode == 0x83 || x->opcode == 0x81) && x->rex == 0x48 &&
           x->modrm >> 6 == 3 && (x->modrm & 7) == RSP && (which == 0 || which == 5);
}

/* ---- the line ---- */
enum { DEPTH = 3, REACH = 256 };
struct line {
    struct body *b;
    const u8 *target[MAX_BODY];         /* of the branch that is instruction i */
    const u8 *furthest;                 /* that a branch leads to: the routine goes on at least up to there */
    const u8 *back[DEPTH];              /* where calls return to */
    u32 depth;
    u16 written;
    const char *why_not;
};

static bool give_up(struct line *l, const char *why)
{
    l->why_not = why;
    return false;
}

static bool is_there(const struct line *l, const u8 *p)
{
    for (u32 i = 0; i < l->b->n; i++)
        if (l->b->insn[i].at == p)
            return true;
    return false;
}

static struct body_insn *append(struct line *l, const u8 *p, const struct x86_insn *x)
{
    struct body_insn *in = &l->b->insn[l->b->n++];
    *in = (struct body_insn){ .at = p, .x = *x, .rip_operand = (u64)p + x->len + (u64)(s64)x->disp };
    return in;
}

static bool add_branch(struct line *l, const u8 *p, const struct x86_insn *x, u32 cc, const u8 *target)
{
    if (target && (target <= p || target > p + REACH))
        return give_up(l, "a branch backwards (a loop) or far away");
    l->target[l->b->n] = target;
    if (target > l->furthest)
        l->furthest = target;
    struct body_insn *in = append(l, p, x);
    in->is_branch = l->b->has_branches = true;
    in->cc = (u8)cc;
    return true;
}

static bool add_plain(struct line *l, const u8 *p, const struct x86_insn *x)
{
    if (is_nop(x) || is_adjustment(x))
        return true;
    struct body_insn *in = append(l, p, x);
    x86_usage(x, &in->u);
    if (!may_stand_alone(in))
        return give_up(l, "an instruction that uses the stack, a callee-saved or a vector register, or is not understood");
    l->b->reads |= (u16)(in->u.reads & ~l->written);
    if (!l->b->has_branches)
        l->written |= in->u.kills;
    return true;
}

/* A return with code behind it that a branch leads to is a jump to the end. *next NULL: that was the end. */
static bool add_return(struct line *l, const u8 *p, const struct x86_insn *x, const u8 **next)
{
    bool goes_on = l->furthest >= *next;
    if (x->imm_size || (goes_on && l->depth))
        return give_up(l, "several returns of a routine that it calls");
    if (goes_on)
        return add_branch(l, p, x, ALWAYS, NULL);
    *next = l->depth ? l->back[--l->depth] : NULL;
    return true;
}

static bool add(struct line *l, const u8 *p, const struct x86_insn *x, const u8 **next)
{
    const u8 *target = *next + x->imm;
    switch ((enum x86_kind)x->kind) {
    case X86_PLAIN: return add_plain(l, p, x);
    case X86_JCC: return add_branch(l, p, x, x->cc, target);
    case X86_RET: return add_return(l, p, x, next);
    case X86_JMP:
        if (l->furthest >= *next || (target > p && target <= p + REACH))
            return add_branch(l, p, x, ALWAYS, target);
        *next = target;                 /* the last thing that it does is another routine */
        return true;
    case X86_CALL:
        if (l->depth == DEPTH || l->furthest >= *next)
            return give_up(l, "a call behind a branch, or calls too deep");
        l->back[l->depth++] = *next;
        *next = target;
        return true;
    default: return give_up(l, "an instruction that is not understood");
    }
}

static bool flatten(struct line *l, const u8 *p)
{
    while (p) {
        struct x86_insn x;
        if (l->b->n == MAX_BODY)
            return give_up(l, "more than 32 instructions");
        if ((addr_t)p < engine_handoff->image_lo || (addr_t)p + 15 >= engine_handoff->image_hi || !x86_decode(p, 15, &x))
            return give_up(l, "code outside of the tool");
        if (is_there(l, p))
            return give_up(l, "a routine that it calls twice");
        const u8 *next = p + x.len;
        if (!add(l, p, &x, &next))
            return false;
        p = next;
    }
    return true;
}

/* Where branches lead to, by number. Nops are not in the line: the next that is. */
static bool resolve(struct line *l)
{
    struct body *b = l->b;
    for (u32 i = 0; i < b->n; i++) {
        if (!b->insn[i].is_branch)
            continue;
        u32 to = i + 1;
        while (l->target[i] && to < b->n && b->insn[to].at < l->target[i])
            to++;
        b->insn[i].to = (u8)(l->target[i] ? to : b->n);
    }
    return true;
}

static bool is_exact(const struct line *l)
{
    for (u32 i = 0; i < l->b->n; i++)
        for (u32 k = i + 1; l->b->has_branches && k < l->b->n; k++)
            if (l->b->insn[k].at <= l->b->insn[i].at)
                return false;
    return true;
}

static void make_body(struct routine *r)
{
    struct line l = { .b = heap_alloc(sizeof *l.b) };
    bool ok = flatten(&l, r->fn);
    if (ok && !is_exact(&l))
        ok = give_up(&l, "branches together with calls");
    if (ok && resolve(&l)) {
        r->body = l.b;
        return;
    }
    heap_free(l.b, sizeof *l.b);
    r->why_no_body = l.why_not;
}

const struct body *x86_body(const void *fn)
{
    struct routine *r = (struct routine *)x86_routine(fn);
    if (!r->is_known || opt->no_inline || x86_checks_alignment)
        return NULL;
    if (!r->body && !r->why_no_body)
        make_body(r);
    return r->body;
}

const char *x86_why_no_body(const void *fn)
{
    const struct routine *r = x86_routine(fn);
    if (!r->is_known)
        return "it reaches code that cannot be followed: an indirect jump or call, a system call, too much";
    return r->why_no_body ? r->why_no_body : x86_checks_alignment ? "the program has misaligned accesses fault" : "--no-inline";
}
