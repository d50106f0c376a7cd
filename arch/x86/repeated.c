/* repeated.c: repeated string instructions under a tool, which is called at each iteration: a trace makes one of them and leads back
 * to itself. */
#include "arch/x86/bridge.h"
#include "arch/x86/cpu.h"
#include "arch/x86/strings.h"
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

/* With 32-bit addresses, Intel's cut registers down before the first iteration, and if there is none, too. */
u16 x86_cut_by_string(const struct x86_insn *x)
{
    bool moves = (x->opcode | 1) == 0xa5, stores = (x->opcode | 1) == 0xab;
    if (!x->addr32 || !x->rep || x86_is_amd())
        return 0;
    return (u16)(BIT(RCX) | (moves || stores ? BIT(RDI) : 0) | (moves ? BIT(RSI) : 0));
}

/* ---- flags ----
 * Intel's change them when a comparison is over: who interrupts it sees those it began with. So they are noted by the first
 * iteration, as lahf and seto al have them, and are in the frame of a signal. */
static bool keeps_flags(const struct x86_insn *x) { return is_compare(x) && !x86_is_amd(); }

static void put_note_flags(struct emit *e, addr_t pc)
{
    const s32 field = (s32)offsetof(struct arch_thread, rep_flags);
    put_store_tls(e, RAX, AT_SLOT(0));
    put_store_tls(e, RCX, AT_SLOT(1));
    put_bytes(e, "\x9f\x0f\x90\xc0", 4);          /* lahf; seto al */
    put_load_tls(e, RCX, field);
    put_bytes(e, "\x64\x81", 2);                  /* cmp dword fs:[rep_pc], pc: is this the first? */
    put_fs_operand(e, 7, (s32)offsetof(struct arch_thread, rep_pc));
    put32(e, (u32)pc);
    put_bytes(e, "\x0f\x45\xc8", 3);              /* cmovne ecx, eax */
    put_store_tls(e, RCX, field);
    put_bytes(e, "\x04\x7f\x9e", 3);              /* add al, 0x7f; sahf */
    put_load_tls(e, RCX, AT_SLOT(1));
    put_load_tls(e, RAX, AT_SLOT(0));
}

void x86_unfinished_flags(struct arch_thread *t)
{
    enum { LAHF = X86_SF | X86_ZF | X86_AF | X86_PF | X86_CF };
    struct insn in;
    u8 bytes[15] = { 0 };
    if (t->rep_pc != t->regs.pc || !mem_copy_safely(bytes, (void *)t->rep_pc, sizeof bytes))
        return;
    arch_decode(bytes, sizeof bytes, t->rep_pc, &in);
    if (arch_is_repeated(&in) && keeps_flags(&in.a.x))
        t->regs.flags = (t->regs.flags & ~(u64)X86_ARITH) | (t->rep_flags >> 8 & LAHF) | (t->rep_flags & 1 ? X86_OF : 0);
}

void arch_emit_iteration(struct emit *e, const struct insn *in)
{
    const struct x86_insn *d = &in->a.x;
    if (keeps_flags(d))
        put_note_flags(e, in->pc);
    for (u16 cut = x86_cut_by_string(d); cut; cut &= (u16)(cut - 1))
        put_move32(e, (u32)__builtin_ctz(cut), (u32)__builtin_ctz(cut));
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
