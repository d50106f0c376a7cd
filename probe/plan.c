/* plan.c: may the first bytes of a routine give way to a jump?
 *
 *  (1) Whole instructions give way. One that ends the routine may be followed by padding, which gives way too.
 *  (2) Nobody branches into the middle of them: no direct branch of the routine (from outside of what is copied: the copy's
 *      own branches lead to the copy), and, unless the caller takes the risk, no direct branch of the code around it.
 *  (3) A branch back to the routine's beginning would meet the probe again, as if the routine had been called.
 *  (4) Where only (2) or (3) is in the way, the whole routine may be copied, if the caller allows it: then all its branches
 *      lead to the copy. An indirect jump would still lead to the original. */
#include "probe/probe_int.h"

enum { WHOLE_MAX = 16384, PADDING_MAX = 64 };

const char *probe_why(enum probe_reason r)
{
    static const char *const text[] = {
#define X(name, t) t,
        PROBE_REASONS(X)
#undef X
    };
    return (u32)r < ARRAY_LEN(text) ? text[r] : "unknown reason";
}

static size_t end_of_code(const struct probe_site *s)
{
    return s->size ? s->size : s->room;
}

static bool is_padded(const struct probe_site *s, u32 from, u32 to)
{
    struct arch_probe_insn in;
    for (u32 i = from; i < to; i += in.len) {
        if (i >= s->room)
            return false;
        arch_probe_decode(s->at + i, s->room - i, &in);
        if (!in.is_padding)
            return false;
    }
    return true;
}

/* The instructions under the jump. */
static enum probe_reason plan_jump(const struct probe_site *s, struct probe_plan *p)
{
    struct arch_probe_insn in = { .flow = FLOW_ON };
    while (p->span < ARCH_PROBE_JUMP && in.flow == FLOW_ON) {
        if (p->span >= end_of_code(s))
            return PROBE_TOO_SHORT;
        arch_probe_decode(s->at + p->span, MAX(s->room, s->size) - p->span, &in);
        if (in.flow == FLOW_UNKNOWN)
            return PROBE_UNKNOWN;
        if (in.is_breakpoint)
            return PROBE_BREAKPOINT;
        if (!in.can_move)
            return PROBE_IMMOVABLE;
        p->span += in.len;
        p->n_insns++;
    }
    if (p->span < ARCH_PROBE_JUMP && !is_padded(s, p->span, ARCH_PROBE_JUMP))
        return PROBE_TOO_SHORT;
    if (p->span > MAX(s->room, s->size))
        return PROBE_TOO_SHORT;
    p->is_single = p->n_insns == 1 && p->span >= ARCH_PROBE_JUMP;
    return PROBE_OK;
}

/* Direct branches of the routine, from behind the copied part into the jump. */
static enum probe_reason look_for_branches(const struct probe_site *s, const struct probe_plan *p)
{
    struct arch_probe_insn in;
    enum probe_reason worst = PROBE_OK;
    addr_t inner = MAX(p->span, (u32)ARCH_PROBE_JUMP);
    for (size_t i = p->span; i < end_of_code(s); i += in.len) {
        arch_probe_decode(s->at + i, end_of_code(s) - i, &in);
        if (!in.has_target || in.is_call)
            continue;
        if (in.target > s->at && in.target < s->at + inner)
            return PROBE_BRANCH_INSIDE;
        if (in.target == s->at)
            worst = PROBE_BRANCH_TO_ENTRY;
    }
    return worst;
}

static enum probe_reason look_around(const struct probe_site *s, const struct probe_plan *p)
{
    struct arch_probe_insn in;
    addr_t lo = s->at + 1, hi = s->at + MAX(p->span, (u32)ARCH_PROBE_JUMP);
    if (!s->targets || !probe_targets_any(s->targets, lo, hi))
        return PROBE_OK;
    /* Those of the copied instructions themselves do not count. */
    for (u32 i = 0; i < p->span; i += in.len) {
        arch_probe_decode(s->at + i, p->span - i, &in);
        if (in.has_target && in.target >= lo && in.target < hi)
            return PROBE_OK;
    }
    return PROBE_MAYBE_TARGET;
}

static enum probe_reason plan_whole(const struct probe_site *s, struct probe_plan *p)
{
    struct arch_probe_insn in = { .flow = FLOW_ON };
    if (s->size > WHOLE_MAX)
        return PROBE_BRANCH_INSIDE;
    p->span = p->n_insns = 0;
    while (p->span < s->size) {
        arch_probe_decode(s->at + p->span, s->size - p->span, &in);
        if (in.flow == FLOW_UNKNOWN)
            return PROBE_UNKNOWN;
        if (in.is_indirect)
            return PROBE_INDIRECT;
        if (!in.can_move)
            return PROBE_IMMOVABLE;
        p->span += in.len;
        p->n_insns++;
    }
    p->is_whole = true;
    p->is_single = false;
    return PROBE_OK;
}

enum probe_reason probe_plan(const struct probe_site *s, struct probe_plan *p)
{
    *p = (struct probe_plan){ .at = s->at, .is_anywhere = s->flags & PROBE_ANYWHERE };
    if (!space_is_code(s->at, s->at + MAX(s->room, s->size)) || !MAX(s->room, s->size))
        return PROBE_NOT_CODE;
    enum probe_reason r = plan_jump(s, p);
    if (r)
        return r;
    r = look_for_branches(s, p);
    if (r == PROBE_BRANCH_TO_ENTRY && s->flags & (PROBE_RISK_TARGETS | PROBE_ANYWHERE))
        r = PROBE_OK;
    if (r && s->flags & PROBE_WHOLE)
        r = plan_whole(s, p);
    if (!r && !p->is_whole && !(s->flags & PROBE_RISK_TARGETS))
        r = look_around(s, p);
    return r;
}
