/* repeated.c: repeated string instructions under a tool, which is called at each iteration: a trace makes one of them and leads back
 * to itself. */
#include "arch/x86/asm.h"
#include "engine/thread.h"

/* movs, stos and lods, with the count in rcx */
bool arch_repeats_counted(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    return arch_is_repeated(in) && !x->addr32 && (x->opcode <= 0xa5 || (x->opcode >= 0xaa && x->opcode <= 0xad));
}

static bool is_compare(const struct x86_insn *x) { return (x->opcode & ~1) == 0xa6 || (x->opcode & ~1) == 0xae; }

/* A REX prefix counts only right before the opcode; what stood between them must not leave it there. */
static bool is_kept_once(const struct insn *in, u32 i)
{
    u8 b = in->bytes[i];
    bool is_rep = b == 0xf2 || b == 0xf3, is_idle_rex = (b & 0xf0) == 0x40 && i + 1 < in->a.x.opcode_off;
    return i >= in->a.x.opcode_off || (!is_rep && !is_idle_rex);
}

/* The instruction without its prefix: one iteration that does not touch the count. */
static void put_iteration(struct emit *e, const struct insn *in)
{
    u8 bytes[16], n = 0;
    for (u32 i = 0; i < in->len; i++)
        if (is_kept_once(in, i))
            bytes[n++] = in->bytes[i];
    struct insn once;
    arch_decode(bytes, n, in->pc, &once);
    arch_emit_plain(e, &once, 0, 1);
}

void put_rep_pc(struct emit *e, u64 pc)
{
    for (u32 half = 0; half < 2; half++) {        /* mov dword fs:[rep_pc + ..], imm32: no flags, no register */
        put8(e, 0x64);
        put8(e, 0xc7);
        put_fs_operand(e, 0, (s32)(offsetof(struct arch_thread, rep_pc) + 4 * half));
        put32(e, (u32)(pc >> 32 * half));
    }
}

void arch_emit_repeated(struct emit *e) { put_rep_pc(e, 0); }

void arch_emit_iteration(struct emit *e, const struct insn *in)
{
    const struct x86_insn *d = &in->a.x;
    u8 *none = put_short_forward(e, 0xe3, d->addr32);         /* jrcxz */
    put_iteration(e, in);
    put8(e, rex(!d->addr32, 0, 0, 0));                        /* lea rcx, [rcx-1] */
    put_bytes(e, "\x8d\x49\xff", 3);
    patch_short(e, none);
}

/* Without an iteration the count is zero, and the flags do not matter. */
void arch_emit_repeat(struct emit *e, const struct insn *in, struct exit *x)
{
    const struct x86_insn *d = &in->a.x;
    u8 *differs = is_compare(d) ? put_short_forward(e, d->rep == 0xf3 ? 0x75 : 0x74, false) : NULL;
    u8 *done = put_short_forward(e, 0xe3, d->addr32);
    put_rep_pc(e, in->pc);
    arch_emit_jump(e, x);
    if (differs)
        patch_short(e, differs);
    patch_short(e, done);
    put_rep_pc(e, 0);
}
