/* shadow.c: jump tables of the application, seen through its code (--indirect=shadow).
 *
 * A switch loads its target from a table, by an index in a register. If that register still holds it at the jump, the
 * junction's own table is indexed by it, too: each entry shadows one of the application's, and no two targets share one.
 *
 * Whether the application's table stays as it is, and how large it is, is not known: so the index is cut to 8 bits, and the
 * entry leads to a guard, as all entries do. */
#include "arch/x86/junction.h"

enum { LOOK_BACK = 6 };

static u32 reg_of(const struct x86_insn *x) { return (u32)(x->modrm >> 3 & 7) | (u32)(x->rex & 4) << 1; }
static u32 rm_of(const struct x86_insn *x) { return (u32)(x->modrm & 7) | (u32)(x->rex & 1) << 3; }

/* The register that indexes the memory operand, or -1. r11 does not outlive the search for the target. */
static s32 index_of_operand(const struct x86_insn *x)
{
    if (!x->has_mem || (x->modrm & 7) != 4 || x->addr32)
        return -1;
    u32 index = (u32)(x->sib >> 3 & 7) | (u32)(x->rex & 2) << 2;
    return index == RSP || index == R11 ? -1 : (s32)index;
}

static bool is_plain_one(const struct x86_insn *x, u8 opcode)
{
    return x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 && x->opcode == opcode && x->rex & 8;
}

/* mov or movsxd to `reg` from memory */
static bool is_load(const struct x86_insn *x, u32 reg)
{
    return (is_plain_one(x, 0x8b) || is_plain_one(x, 0x63)) && x->has_mem && reg_of(x) == reg;
}

/* add reg, other: what was loaded is relative to the table */
static bool is_add(const struct x86_insn *x, u32 reg)
{
    return x->modrm >> 6 == 3 && ((is_plain_one(x, 0x01) && rm_of(x) == reg) || (is_plain_one(x, 0x03) && reg_of(x) == reg));
}

s32 x86_jump_index(const struct insn *list, u32 i)
{
    const struct x86_insn *jump = &list[i].a.x;
    if (jump->has_mem)
        return index_of_operand(jump);
    u32 target = rm_of(jump), changed = 1u << target;
    for (u32 back = 1; back <= MIN(i, (u32)LOOK_BACK); back++) {
        const struct x86_insn *x = &list[i - back].a.x;
        struct x86_usage u;
        x86_usage(x, &u);
        if (list[i - back].kind != INSN_PLAIN || !u.exact)
            return -1;
        if (is_load(x, target)) {
            s32 index = index_of_operand(x);
            return index >= 0 && !(changed >> index & 1) ? index : -1;
        }
        if (u.writes >> target & 1 && !is_add(x, target))
            return -1;
        changed |= u.writes;
    }
    return -1;
}
