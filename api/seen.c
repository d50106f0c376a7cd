/* seen.c: the views of instructions seen lately. Programs are made of few different instructions, and the same code is met
 * in several traces: most views are a copy away. A view follows from the bytes alone, but for the address.
 *
 * Its class follows from the bytes in front of displacement and immediate: of these there are so few that nearly all have been seen. */
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

enum { N_CLASSES = 4096, OPCODE_3DNOW = 0x0f };
static struct { struct seen_class c; u8 n, bytes[15]; } classes[N_CLASSES];

/* 3DNow! has its opcode where others have an immediate. */
static u32 head_length(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    if (x->enc == X86_ENC_LEGACY && x->map == X86_MAP_0F && x->opcode == OPCODE_3DNOW)
        return in->len;
    return in->len - x->disp_size - x->imm_size;
}

const struct seen_class *seen_class(const struct insn *in)
{
    u32 n = head_length(in), k = place_of(in->bytes, n) % N_CLASSES;
    if (classes[k].n != n || memcmp(classes[k].bytes, in->bytes, n)) {
        struct xv_insn x;
        seen_decode(&x, in->bytes, in->len, in->pc);
        classes[k].c = (struct seen_class){ xv_opcode(&x), x.category, x.extension };
        classes[k].n = (u8)n;
        memcpy(classes[k].bytes, in->bytes, n);
    }
    return &classes[k].c;
}
