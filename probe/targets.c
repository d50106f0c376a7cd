/* targets.c: where do direct branches lead? One bit per byte of the code. */
#include "base/heap.h"
#include "probe/probe_int.h"

struct probe_targets { addr_t lo, hi; size_t n_words; u64 *bits; };

static void mark(struct probe_targets *t, addr_t a)
{
    if (a >= t->lo && a < t->hi)
        t->bits[(a - t->lo) / 64] |= 1ull << (a - t->lo) % 64;
}

struct probe_targets *probe_targets_find(addr_t lo, addr_t hi)
{
    struct probe_targets *t = heap_alloc(sizeof *t);
    struct arch_probe_insn in;
    *t = (struct probe_targets){ lo, hi, (hi - lo) / 64 + 1, NULL };
    t->bits = heap_alloc(t->n_words * 8);
    for (addr_t a = lo; a < hi; a += in.len) {
        arch_probe_decode(a, hi - a, &in);
        if (in.has_target && !in.is_call)
            mark(t, in.target);
    }
    return t;
}

bool probe_targets_any(const struct probe_targets *t, addr_t lo, addr_t hi)
{
    for (addr_t a = MAX(lo, t->lo); a < MIN(hi, t->hi); a++)
        if (t->bits[(a - t->lo) / 64] >> (a - t->lo) % 64 & 1)
            return true;
    return false;
}

void probe_targets_free(struct probe_targets *t)
{
    heap_free(t->bits, t->n_words * 8);
    heap_free(t, sizeof *t);
}
