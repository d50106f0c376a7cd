/* seen.c: the views of instructions seen lately. Programs are made of few different instructions, and the same code is met
 * in several traces: most views are a copy away. A view follows from the bytes alone, but for the address. */
#include "api/api.h"
#include "api/seen.h"
#include <string.h>

enum { N_SEEN = 4096 };
static struct xv_insn seen[N_SEEN];             /* guarded by whoever calls: the cache lock */

/* Every byte counts: neighbours often differ in a displacement only. */
static u32 place_of(const u8 *bytes, u32 n)
{
    u64 word[2] = { n };
    memcpy((u8 *)word + 1, bytes, n);
    return (u32)((word[0] * 0x9e3779b97f4a7c15ull ^ word[1] * 0xc2b2ae3d27d4eb4full) >> 32) % N_SEEN;
}

static void copy(struct xv_insn *to, const struct xv_insn *from)
{
    memcpy(to, from, offsetof(struct xv_insn, op) + from->n_operands * sizeof *from->op);
}

void seen_decode(struct xv_insn *out, const u8 *bytes, u32 n, addr_t address)
{
    struct xv_insn *s = &seen[place_of(bytes, n)];
    if (s->length != n || memcmp(s->bytes, bytes, n)) {
        xv_decode(out, bytes, n, address);
        if (out->length == n)
            copy(s, out);
        return;
    }
    copy(out, s);
    out->address = address;
}
