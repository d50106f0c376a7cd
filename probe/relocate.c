/* relocate.c: the copy of what gives way to a jump.
 *
 *  (1) The places of all copies are worked out before the first byte is written, so a branch inside the copied part leads to
 *      a copy, forwards or backwards.
 *  (2) A callee returns to the original code behind the jump, so that whoever walks the stack finds known code there; only a
 *      call whose return address lies under the jump, or in a routine that is copied whole, returns to the copy.
 *  (3) Behind the last instruction, if it falls through, a jump leads to the original one that follows. */
#include "base/heap.h"
#include "base/str.h"
#include "probe/probe_int.h"

static bool returns_home(const struct probe *p, u32 next) { return !p->plan.is_whole && next >= ARCH_PROBE_JUMP; }

static u32 lay_out(struct probe *p, size_t room)
{
    struct arch_probe_insn in;
    u32 from = 0, to = 0;
    for (u32 k = 0; k < p->plan.n_insns; k++) {
        arch_probe_decode(p->plan.at + from, room - from, &in);
        p->place[k] = (u16)to;
        p->len[k] = in.len;
        to += arch_probe_size(p->plan.at + from, room - from, returns_home(p, from + in.len));
        from += in.len;
        p->returns_inside |= in.pushes_return && from < ARCH_PROBE_JUMP;
    }
    return to;
}

/* Index of the copied instruction that begins at this offset; n: none. */
static u32 index_of(const struct probe *p, addr_t offset)
{
    u32 k = 0;
    for (addr_t at = 0; k < p->plan.n_insns && at != offset; k++)
        at += p->len[k];
    return k;
}

static addr_t where_to(const struct probe *p, const struct arch_probe_insn *in)
{
    if (!in->has_target || in->target < p->plan.at || in->target >= p->plan.at + p->plan.span)
        return in->target;
    u32 k = index_of(p, in->target - p->plan.at);
    if (k == 0 && p->plan.is_anywhere)
        return in->target;
    return k < p->plan.n_insns && !in->is_call ? (addr_t)(p->copy + p->place[k]) : in->target;
}

static bool write_copy(struct probe *p, size_t room, u32 size)
{
    struct arch_probe_insn in = { .flow = FLOW_ON };
    u32 from = 0;
    bool ok = true;
    for (u32 k = 0; k < p->plan.n_insns; k++) {
        addr_t at = p->plan.at + from;
        arch_probe_decode(at, room - from, &in);
        from += in.len;
        ok &= arch_probe_copy(p->copy + p->place[k], at, room - (at - p->plan.at), where_to(p, &in),
                              returns_home(p, from) ? at + in.len : 0);
    }
    if (in.flow == FLOW_ON)
        ok &= arch_probe_jump(p->copy + size, (addr_t)p->copy + size, p->plan.at + p->plan.span);
    return ok;
}

enum probe_reason relocate(struct probe *p, size_t room)
{
    u32 n = p->plan.n_insns;
    if ((size_t)n * ARCH_PROBE_GROWTH > 0xffff)
        return PROBE_BRANCH_INSIDE;
    p->place = heap_alloc(n * sizeof *p->place);
    p->len = heap_alloc(n);
    u32 size = lay_out(p, room);
    p->copy = space_near(p->plan.at, size + ARCH_PROBE_TAIL);
    if (!p->copy)
        return PROBE_NO_NEAR_MEMORY;
    return write_copy(p, room, size) ? PROBE_OK : PROBE_OUT_OF_REACH;
}

addr_t relocate_pc(const struct probe *p, addr_t pc)
{
    if (pc <= p->plan.at || pc >= p->plan.at + MAX(p->plan.span, (u32)ARCH_PROBE_JUMP))
        return 0;
    u32 k = index_of(p, pc - p->plan.at);
    return k < p->plan.n_insns ? (addr_t)(p->copy + p->place[k]) : 0;
}
