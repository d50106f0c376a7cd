/* skim.c: how far does code go that can be copied as it is? And the branch behind it.
 *
 * Most instructions are that, and without a tool nobody asks what they do: their lengths will do. An instruction's length follows from
 * its opcode and modrm, and from SIB (skim_tables.h). Nearly all that ends such code is a branch of a few forms: these are decoded here,
 * too, since where they are and what they are is known by then.
 *
 *  (1) What is skimmed is copied as it is wherever the decoder and insn.c say so; anything doubtful is left to them.
 *  (2) Such code does not name r11, whose owner is a matter of the whole trace (r11.h).
 *  (3) A branch comes out as the decoder would have it, in every field. */
#include "arch/arch.h"
#include "arch/x86/decode.h"
#include "arch/x86/skim_tables.h"

/* Of the instruction at p; 0: it is none of these, but *branch. New code is all surprises, so there are few branches. */
static inline u32 length(const u8 *p, u32 *branch)
{
    u64 w;
    __builtin_memcpy(&w, p, sizeof w);
    u32 map = MAP_ONE, off = 1;
    if (UNLIKELY((u8)w == 0x66 || (w & 0xfe) == 0xf2)) {
        map = (u8)w == 0x66 ? MAP_66 : (u8)w == 0xf3 ? MAP_F3 : MAP_F2;
        w >>= 8;
        off = 2;
    }
    u32 has_rex = (w & 0xf0) == 0x40, rex = (u32)w & -has_rex;
    w >>= 8 * has_rex;
    u32 is_two = (u8)w == 0x0f;
    w >>= 8 * is_two;
    off += has_rex + is_two;
    if (UNLIKELY(map != MAP_ONE)) {
        if (!is_two)
            return 0;
        is_two = map;
    }
    u32 modrm = (u8)(w >> 8), form = skim_forms[skim_rows[is_two][(u8)w]][modrm >> 3];
    u32 rm = skim_modrm[modrm] & -(form >> 8 & 1), has_sib = rm >> 4 & 1, sib = skim_sib[(u8)(w >> 16)] & -has_sib;
    if ((rex & (form | rm | sib) & 15) | (rm & RM_RIP) | (~form & FITS)) {
        *branch = off == 1 + is_two ? form >> BRANCH_SHIFT : NO_BRANCH;
        return 0;
    }
    return off + (form >> FORM_LEN_SHIFT & FORM_LEN) + has_sib + ((rm & sib & BASE_FREE) >> 4);
}

u32 arch_skim(const u8 *bytes, u32 avail, u32 most, u32 *n, u32 *branch)
{
    u32 at = 0, i, b = NO_BRANCH;
    for (i = 0; i < most; i++) {
        u32 len = length(bytes + at, &b);
        if (!len || at + len > avail)
            break;
        at += len;
    }
    *n = i;
    *branch = b;
    return at;
}

/* What is known of one but for where it is, its condition and where it leads. */
#define KNOWN_BRANCH(n, insn_kind, x86, opcode_map, size) \
    { .len = n, .kind = insn_kind, .count = 1, .a.x = { .len = n, .kind = x86, .map = opcode_map, .opcode_off = (opcode_map) != X86_MAP_1, \
      .vvvv = 0xff, .imm_off = (size) ? (n) - (size) : 0, .imm_size = size } }
static const struct insn branches[N_SKIM_BRANCHES] = {
    [JCC_SHORT] = KNOWN_BRANCH(2, INSN_COND, X86_JCC, X86_MAP_1, 1),  [JCC_NEAR] = KNOWN_BRANCH(6, INSN_COND, X86_JCC, X86_MAP_0F, 4),
    [JMP_SHORT] = KNOWN_BRANCH(2, INSN_JUMP, X86_JMP, X86_MAP_1, 1),  [JMP_NEAR] = KNOWN_BRANCH(5, INSN_JUMP, X86_JMP, X86_MAP_1, 4),
    [CALL_NEAR] = KNOWN_BRANCH(5, INSN_CALL, X86_CALL, X86_MAP_1, 4), [RET_NEAR] = KNOWN_BRANCH(1, INSN_RET, X86_RET, X86_MAP_1, 0),
};

bool arch_skim_branch(u32 branch, const u8 *bytes, u32 avail, addr_t pc, struct insn *out)
{
    if (branches[branch].len > avail)
        return false;
    *out = branches[branch];
    out->pc = pc;
    out->bytes = bytes;
    struct x86_insn *x = &out->a.x;
    x->opcode = bytes[x->opcode_off];
    if (branch == RET_NEAR)
        return true;
    s32 imm;
    __builtin_memcpy(&imm, bytes + x->imm_off, sizeof imm);
    x->imm = x->imm_size == 1 ? (signed char)imm : imm;
    if (out->kind == INSN_COND)
        x->cc = x->opcode & 15;
    out->target = x86_target(x, pc);
    return true;
}
