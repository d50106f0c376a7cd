/* rename.c: the body of a routine with other registers in the place of its own: those that are free where it stands, so that what
 * the application has in the others need not be kept.
 *  (1) Only instructions whose registers all stand in the fields of their encoding; of others, the whole body stays as it is.
 *  (2) The new registers are none that are encoded in another way than the old ones: no rsp, rbp, r12, r13 as a base. */
#include "arch/x86/inline.h"

enum { REX_B = 1, REX_X = 2, REX_R = 4 };

/* ---- which instructions, and where their registers are ---- */
/* modrm.reg; modrm.rm, or its base and index; the opcode's lower bits. wide_reg: what modrm.reg names is no byte in any case. */
struct fields { bool reg, rm, opcode, is_byte, wide_reg; };

static bool fields_1(const struct x86_insn *x, struct fields *f)
{
    u32 op = x->opcode, digit = x->modrm >> 3 & 7;
    f->rm = true;
    f->is_byte = !(op & 1);
    switch (op) {
    case 0x00 ... 0x3f:
        f->reg = true;
        return (op & 7) < 4;
    case 0x63: case 0x69: case 0x6b: case 0x8d:
        f->is_byte = false;
        f->reg = true;
        return true;
    case 0x84 ... 0x8b:
        f->reg = true;
        return true;
    case 0x80: case 0x81: case 0xc0: case 0xc1: case 0xc6: case 0xc7: case 0xd0: case 0xd1: return true;
    case 0x83:
        f->is_byte = false;
        return true;
    case 0xb0 ... 0xbf:
        f->rm = false;
        f->opcode = true;
        f->is_byte = op < 0xb8;
        return true;
    case 0xf6: case 0xf7: return digit == 0 || digit == 2 || digit == 3;      /* test, not, neg */
    case 0xfe: case 0xff: return digit < 2;                                   /* inc, dec */
    default: return false;
    }
}

static bool fields_0f(const struct x86_insn *x, struct fields *f)
{
    f->rm = true;
    switch (x->opcode) {
    case 0x40 ... 0x4f: case 0xa3: case 0xab: case 0xaf: case 0xb3: case 0xbb: case 0xb7: case 0xbf:
        f->reg = true;
        return true;
    case 0xb6: case 0xbe:
        f->reg = f->is_byte = f->wide_reg = true;
        return true;
    case 0xc0: case 0xc1:
        f->reg = true;
        f->is_byte = x->opcode == 0xc0;
        return true;
    case 0x90 ... 0x9f:
        f->is_byte = true;
        return true;
    case 0xba: return true;
    default: return false;
    }
}

/* Without REX, a byte register from 4 on is the second byte of another one. */
static bool names_high_byte(const struct x86_insn *x, const struct fields *f)
{
    if (!f->is_byte || x->rex)
        return false;
    return (f->reg && !f->wide_reg && (x->modrm >> 3 & 7) >= 4) || (f->rm && x->modrm >> 6 == 3 && (x->modrm & 7) >= 4) || (f->opcode && (x->opcode & 7) >= 4);
}

static bool find_fields(const struct x86_insn *x, struct fields *f)
{
    *f = (struct fields){ 0 };
    return (x->map == X86_MAP_1 ? fields_1(x, f) : fields_0f(x, f)) && !names_high_byte(x, f);
}

bool x86_can_rename(const struct body *b)
{
    struct fields f;
    for (u32 i = 0; i < b->n; i++)
        if (!b->insn[i].is_branch && !find_fields(&b->insn[i].x, &f))
            return false;
    return true;
}

/* ---- the new bytes ---- */
enum { LONGEST = 16 };

static u32 new_of(const u8 *map, u32 low, bool extension) { return map[low | (extension ? 8u : 0u)]; }

/* modrm and sib with the registers that rm names; the bits for REX. */
static u32 rename_rm(const struct x86_insn *x, const u8 *map, u8 *to)
{
    u32 bits = 0;
    if (x->rip_rel)
        return 0;
    if (x->modrm >> 6 == 3 || (x->modrm & 7) != 4) {
        u32 r = new_of(map, x->modrm & 7, x->rex & REX_B);
        to[0] = (u8)((to[0] & ~7u) | (r & 7));
        return r >> 3;
    }
    bool has_base = !((x->sib & 7) == 5 && x->modrm >> 6 == 0), has_index = (x->sib >> 3 & 7) != 4 || x->rex & REX_X;
    if (has_base) {
        u32 r = new_of(map, x->sib & 7, x->rex & REX_B);
        to[1] = (u8)((to[1] & ~7u) | (r & 7));
        bits |= r >> 3;
    }
    if (has_index) {
        u32 r = new_of(map, x->sib >> 3 & 7, x->rex & REX_X);
        to[1] = (u8)((to[1] & ~0x38u) | (r & 7) << 3);
        bits |= r >> 3 << 1;
    }
    return bits;
}

static void rename_insn(const struct body_insn *from, const u8 *map, u8 *to, struct body_insn *out)
{
    const struct x86_insn *x = &from->x;
    struct fields f;
    find_fields(x, &f);
    u32 head = x->map == X86_MAP_0F ? x->opcode_off - 1u : x->opcode_off, prefixes = head - (x->rex != 0), n = prefixes;
    u8 tail[LONGEST];                             /* from the opcode on */
    u32 bits = 0, at_modrm = x->modrm_off - head;
    memcpy(tail, from->at + head, x->len - head);
    if (f.rm)
        bits |= rename_rm(x, map, tail + at_modrm);
    if (f.reg) {
        u32 r = new_of(map, x->modrm >> 3 & 7, x->rex & REX_R);
        tail[at_modrm] = (u8)((tail[at_modrm] & ~0x38u) | (r & 7) << 3);
        bits |= r >> 3 << 2;
    }
    if (f.opcode) {
        u32 r = new_of(map, x->opcode & 7, x->rex & REX_B);
        tail[x->opcode_off - head] = (u8)((x->opcode & ~7u) | (r & 7));
        bits |= r >> 3;
    }
    memcpy(to, from->at, prefixes);
    if (bits || x->rex || f.is_byte)
        to[n++] = (u8)(0x40 | (x->rex & 8u) | bits);
    memcpy(to + n, tail, x->len - head);
    *out = *from;
    out->at = to;
    x86_decode(to, n + x->len - head, &out->x);
    x86_usage(&out->x, &out->u);
}

const struct body *x86_rename(const struct body *b, const u8 *map)
{
    static struct body renamed;
    static u8 bytes[MAX_BODY][LONGEST];
    renamed.n = b->n;
    renamed.has_branches = b->has_branches;
    renamed.reads = 0;
    for (u32 r = 0; r < 16; r++)
        if (b->reads >> r & 1)
            renamed.reads |= BIT(map[r]);
    for (u32 i = 0; i < b->n; i++)
        if (b->insn[i].is_branch)
            renamed.insn[i] = b->insn[i];
        else
            rename_insn(&b->insn[i], map, bytes[i], &renamed.insn[i]);
    return &renamed;
}
