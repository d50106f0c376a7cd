/* insn.c: what the generic trace builder asks of an instruction, and its text. */
#include "arch/arch.h"
#include "arch/x86/cpu.h"
#include "arch/x86/r11.h"
#include "arch/x86/xstate.h"
#include "base/print.h"
#include <Zydis/Zydis.h>

/* Instructions that store the x87 instruction pointer, which would be a cache address: fnstenv, fnsave, fxsave and the
 * xsave family. The engine performs them and mends the stored pointer. */
bool x86_stores_fip(const struct x86_insn *x)
{
    if (x->enc != X86_ENC_LEGACY || !x->has_mem)
        return false;
    u32 reg = x->modrm >> 3 & 7;
    if (x->map == X86_MAP_1)
        return (x->opcode == 0xd9 && reg == 6) || (x->opcode == 0xdd && reg == 6);
    if (x->map == X86_MAP_0F && x->opcode == 0xae)
        return !x->rep && !x->opsize16 && (reg == 0 || reg == 4 || reg == 6);
    return x->map == X86_MAP_0F && x->opcode == 0xc7 && !x->rep && !x->opsize16 && reg == 4;
}

static bool is_gs_string(const struct x86_insn *x)
{
    return x->seg == X86_SEG_GS && x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 &&
           (x->opcode == 0xa4 || x->opcode == 0xa5 || x->opcode == 0xa6 || x->opcode == 0xa7 || x->opcode == 0xac ||
            x->opcode == 0xad || x->opcode == 0xd7);
}

/* FS and GS are the engine's: selectors.c. */
static bool writes_fs_or_gs(const struct x86_insn *x)
{
    if (x->map == X86_MAP_0F)
        return x->opcode == 0xa1 || x->opcode == 0xa9 || x->opcode == 0xb4 || x->opcode == 0xb5;
    u32 sreg = x->modrm >> 3 & 7;
    return x->opcode == 0x8e && (sreg == 4 || sreg == 5);
}

static bool reads_fs_or_gs(const struct x86_insn *x)
{
    u32 sreg = x->modrm >> 3 & 7;
    return x->map == X86_MAP_0F ? x->opcode == 0xa0 || x->opcode == 0xa8 : x->opcode == 0x8c && (sreg == 4 || sreg == 5);
}

bool x86_watches_flags;                         /* see odd.c */

/* Plain, but not for everyone. Nearly all are told by one look. */
static bool is_emulated(const struct x86_insn *x)
{
    if (LIKELY(x->seg != X86_SEG_GS && x->opcode != 0x9d && x->opcode != 0xae && x->opcode != 0xa2 && x->opcode != 0xc7 && (x->opcode | 4) != 0xdd))
        return false;
    return x86_stores_fip(x) || is_gs_string(x) || x86_is_cpuid(x) || (x86_watches_flags && x86_is_popf(x));
}

/* The decoder knows no APX. On a CPU that has it, what may be its encodings cannot be left to raise #UD. */
static bool may_be_apx(const struct x86_insn *x)
{
    enum { XCR0_APX = 1 << 19, REX2 = 0xd5 };
    return x86_xfeatures & XCR0_APX && (x->enc == X86_ENC_EVEX || (x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 && x->opcode == REX2));
}

static u8 kind_of(const struct x86_insn *x)
{
    switch ((enum x86_kind)x->kind) {
    case X86_JCC: case X86_JRCXZ: return INSN_COND;
    case X86_JMP: return INSN_JUMP;
    case X86_CALL: return INSN_CALL;
    case X86_JMP_IND: return INSN_JUMP_IND;
    case X86_CALL_IND: return INSN_CALL_IND;
    case X86_RET: return INSN_RET;
    case X86_SYSCALL: return INSN_SYSCALL;
    case X86_INT: return x->opcode == 0xcd && (u8)x->imm == 0x80 ? INSN_EMULATE : INSN_TRAP;
    case X86_SYSENTER: return x86_is_amd() ? INSN_TRAP : INSN_EMULATE;      /* AMD has none in 64-bit mode */
    case X86_FAR: case X86_XBEGIN: return INSN_EMULATE;
    case X86_WRITE_SEG: return writes_fs_or_gs(x) ? INSN_EMULATE : INSN_PLAIN;
    case X86_BAD: return may_be_apx(x) ? INSN_EMULATE : INSN_TRAP;
    case X86_PRIVILEGED: return INSN_TRAP;
    case X86_PLAIN: return is_emulated(x) ? INSN_EMULATE : INSN_PLAIN;
    case X86_READ_SEG: return reads_fs_or_gs(x) ? INSN_EMULATE : INSN_PLAIN;
    case X86_FSGSBASE: return INSN_PLAIN;
    }
    return INSN_TRAP;
}

/* Opcodes, of whatever map, that may need a second look: popf, cpuid, string instructions, what may store the x87 pointer. */
static const u8 is_odd[256] = {
    [0x9d] = 1, [0xa2] = 1, [0xa4 ... 0xa7] = 1, [0xaa ... 0xaf] = 1, [0xc7] = 1, [0xd9] = 1, [0xdd] = 1,
};

static enum decode_status finish_odd(u32 avail, addr_t pc, struct insn *out)
{
    struct x86_insn *x = &out->a.x;
    if (UNLIKELY(x->len == 0)) {
        if (avail < 15)
            return DECODE_TRUNCATED;
        x->len = out->len = 15;                 /* longer than any instruction: raises #GP as it stands */
        x->kind = X86_BAD;
    }
    out->kind = kind_of(x);
    out->is_as_is = out->kind == INSN_PLAIN && x->kind == X86_PLAIN && x->seg == X86_SEG_NONE && !x->rip_rel && !arch_is_repeated(out) &&
                    !x86_is_popf(x);
    if (out->kind == INSN_COND || out->kind == INSN_JUMP || out->kind == INSN_CALL)
        out->target = x86_target(x, pc);
    return DECODE_OK;
}

static inline __attribute__((always_inline)) enum decode_status finish(const u8 *bytes, u32 avail, addr_t pc, struct insn *out)
{
    const struct x86_insn *x = &out->a.x;
    out->pc = pc;
    out->bytes = bytes;
    out->len = x->len;
    out->target = 0;
    out->count = 1;
    out->arch_note = x86_may_name_r11(x) ? NOTE_R11 : 0;
    if (UNLIKELY(x->kind != X86_PLAIN || is_odd[x->opcode] || x->seg != X86_SEG_NONE))
        return finish_odd(avail, pc, out);
    out->kind = INSN_PLAIN;
    out->is_as_is = !x->rip_rel;
    return DECODE_OK;
}

enum decode_status arch_decode(const u8 *bytes, u32 avail, addr_t pc, struct insn *out)
{
    x86_decode(bytes, avail, &out->a.x);
    return finish(bytes, avail, pc, out);
}

enum decode_status arch_decode_padded(const u8 *bytes, u32 avail, addr_t pc, struct insn *out)
{
    x86_decode_padded(bytes, avail, &out->a.x);
    return finish(bytes, avail, pc, out);
}

static size_t format_at(const u8 *bytes, u32 avail, u64 pc, char *text, size_t size)
{
    static ZydisDecoder decoder;
    static ZydisFormatter formatter;
    static bool is_ready;
    ZydisDecodedInstruction in;
    ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
    if (!is_ready) {
        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT);
        is_ready = true;
    }
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, bytes, avail, &in, ops))) {
        ct_format(text, size, "(bad %02x)", bytes[0]);
        return 1;
    }
    ZydisFormatterFormatInstruction(&formatter, &in, ops, in.operand_count_visible, text, size, pc, NULL);
    return in.length;
}

size_t arch_format(const struct insn *in, char *text, size_t size)
{
    return format_at(in->bytes, in->len, in->pc, text, size);
}

size_t arch_format_cache(const u8 *code, char *text, size_t size)
{
    return format_at(code, 15, (u64)code, text, size);
}
