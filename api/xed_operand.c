/* xed_operand.c: the operand list, in XED's order and with XED's names.
 *
 * Explicit and implicit operands have the same order in both decoders. Suppressed ones differ in three regular ways:
 *  (1) Beside a suppressed memory operand XED lists its base register as an operand of its own (BASE0, BASE1); the
 *      decoder lists that register elsewhere, or not at all when it only moves along (string instructions).
 *  (2) A push or pop is announced by a pseudo register (STACKPUSH, STACKPOP) before the other suppressed operands,
 *      and its memory operand comes last.
 *  (3) x87 instructions list ST0 first, even when it is suppressed (xed_irregular.c). */
#include "api/xed_int.h"
#include "api/xed_operand.h"

/* ---- One operand ---- */

static u8 access_of(const ZydisDecodedOperand *z)
{
    u8 a = 0;
    if (z->actions & ZYDIS_OPERAND_ACTION_READ)
        a |= XV_READ;
    if (z->actions & ZYDIS_OPERAND_ACTION_WRITE)
        a |= XV_WRITE;
    if (z->actions & ZYDIS_OPERAND_ACTION_CONDREAD)
        a |= XV_READ | XV_COND_READ;
    if (z->actions & ZYDIS_OPERAND_ACTION_CONDWRITE)
        a |= XV_WRITE | XV_COND_WRITE;
    return a;
}

static u8 visibility_of(const ZydisDecodedOperand *z)
{
    return z->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT ? XV_EXPLICIT :
           z->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT ? XV_IMPLICIT : XV_SUPPRESSED;
}

static void convert_memory(struct xv_operand *o, const ZydisDecodedOperand *z)
{
    bool is_agen = z->mem.type == ZYDIS_MEMOP_TYPE_AGEN;
    bool has_segment = z->mem.segment == ZYDIS_REGISTER_FS || z->mem.segment == ZYDIS_REGISTER_GS;
    o->kind = is_agen ? XV_AGEN : XV_MEM;
    if (is_agen)
        o->access = XV_READ;
    o->seg = has_segment && !is_agen ? (u16)xv_reg_from_zydis(z->mem.segment) : REG_INVALID_;
    o->base = (u16)xv_reg_from_zydis(z->mem.base);
    o->index = (u16)xv_reg_from_zydis(z->mem.index);
    o->scale = o->index ? z->mem.scale : 0;
    o->value = z->mem.disp.has_displacement ? z->mem.disp.value : 0;
}

static void convert_register(struct xv_operand *o, const ZydisDecodedOperand *z)
{
    o->kind = XV_REG;
    o->reg = (u16)xv_reg_from_zydis(z->reg.value);
    if (o->reg == REG_RFLAGS) {                   /* one register, not 64 bits */
        o->n_elements = 1;
        o->element_width = o->width;
    } else if (reg_class((REG)o->reg) == REG_CLASS_TMM) {
        o->n_elements = 0;
        o->element_width = 32;
    }
}

struct xv_operand xv_convert(const ZydisDecodedOperand *z)
{
    struct xv_operand o = {
        .visibility = visibility_of(z), .access = access_of(z), .width = z->size, .n_elements = z->element_count,
        .element_width = z->element_size,
    };
    switch (z->type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
        convert_register(&o, z);
        break;
    case ZYDIS_OPERAND_TYPE_MEMORY:
        convert_memory(&o, z);
        break;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
        o.kind = z->imm.is_relative ? XV_BRANCH : XV_IMM;
        o.value = z->imm.value.s;
        o.element_width = o.width;
        break;
    default:
        o.kind = XV_FAR_POINTER;
    }
    return o;
}

/* ---- The list ---- */

void xv_push(struct xv_insn *x, struct xv_operand o)
{
    if (x->n_operands < XV_MAX_OPERANDS)
        x->op[x->n_operands++] = o;
}

static bool is_hidden(const ZydisDecodedOperand *z) { return z->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN; }

static bool is_hidden_memory(const ZydisDecodedOperand *z)
{
    return is_hidden(z) && z->type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static bool is_reg(const ZydisDecodedOperand *z, ZydisRegister r)
{
    return z->type == ZYDIS_OPERAND_TYPE_REGISTER && z->reg.value == r;
}

struct xv_operand xv_suppressed(REG reg, u8 access)
{
    u16 width = (u16)MIN(reg_size(reg) * 8, 0xffffu);
    return (struct xv_operand){.kind = XV_REG, .visibility = XV_SUPPRESSED, .access = access, .width = width,
                               .n_elements = 1, .element_width = width, .reg = (u16)reg};
}

/* The base register of a suppressed memory operand, as an operand. */
static void push_base(struct xv_insn *x, ZydisRegister base, u8 access)
{
    struct xv_operand o = xv_suppressed(xv_reg_from_zydis(base), access);
    o.name = XED_OPERAND_BASE0;
    xv_push(x, o);
}

void xv_push_visible(struct xv_insn *x, const struct xv_decoded *d)
{
    for (u32 k = 0; k < d->i.operand_count; k++)
        if (!is_hidden(&d->op[k]))
            xv_push(x, xv_convert(&d->op[k]));
}

/* ---- Push, pop, call, return ---- */

/* The suppressed memory operand on the stack, or NULL. */
static const ZydisDecodedOperand *stack_operand(const struct xv_decoded *d)
{
    const ZydisDecodedOperand *memory = NULL;
    bool moves_rsp = false;
    for (u32 k = 0; k < d->i.operand_count; k++) {
        if (is_hidden_memory(&d->op[k]) && d->op[k].mem.base == ZYDIS_REGISTER_RSP)
            memory = &d->op[k];
        moves_rsp |= is_hidden(&d->op[k]) && is_reg(&d->op[k], ZYDIS_REGISTER_RSP);
    }
    return moves_rsp ? memory : NULL;
}

static bool is_iret(const struct xv_insn *x)
{
    return x->iclass == XED_ICLASS_IRET || x->iclass == XED_ICLASS_IRETD || x->iclass == XED_ICLASS_IRETQ;
}

static void list_stack(struct xv_insn *x, const struct xv_decoded *d, const ZydisDecodedOperand *memory)
{
    struct xv_operand movement = xv_suppressed(REG_INVALID_, XV_READ | XV_WRITE);
    movement.width = movement.element_width = memory->size;
    xv_push_visible(x, d);
    xv_push(x, movement);
    /* The flags of iret come after the memory operand, those of pushf and popf before it. */
    for (u32 pass = 0; pass < 2; pass++) {
        for (u32 k = 0; k < d->i.operand_count; k++) {
            const ZydisDecodedOperand *z = &d->op[k];
            bool is_late = is_iret(x) && is_reg(z, ZYDIS_REGISTER_RFLAGS);
            if (is_hidden(z) && z != memory && !is_reg(z, ZYDIS_REGISTER_RSP) && is_late == pass)
                xv_push(x, xv_convert(z));
        }
        if (pass == 0) {
            xv_push(x, xv_convert(memory));
            push_base(x, memory->mem.base, XV_READ | XV_WRITE);
        }
    }
}

/* ---- Other suppressed memory operands ---- */

static bool is_base_of_hidden(const struct xv_decoded *d, const ZydisDecodedOperand *z)
{
    for (u32 k = 0; k < d->i.operand_count; k++)
        if (is_hidden_memory(&d->op[k]) && is_hidden(z) && is_reg(z, d->op[k].mem.base))
            return true;
    return false;
}

/* String instructions move their bases along; `leave`, `xlat` and the masked stores only read them. */
static void list_hidden_memory(struct xv_insn *x, const struct xv_decoded *d)
{
    bool is_string = d->i.meta.category == ZYDIS_CATEGORY_STRINGOP || d->i.meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
    bool is_repeated = d->i.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
    u8 access = !is_string ? XV_READ : is_repeated ? XV_READ | XV_WRITE | XV_COND_WRITE : XV_READ | XV_WRITE;
    for (u32 k = 0; k < d->i.operand_count; k++) {
        const ZydisDecodedOperand *z = &d->op[k];
        if (is_string && is_base_of_hidden(d, z))
            continue;
        xv_push(x, xv_convert(z));
        if (is_hidden_memory(z))
            push_base(x, z->mem.base, access);
    }
}

/* ---- Names and numbers ---- */

enum { MAX_MEMORY = sizeof(((struct xv_insn *)0)->memory) };

static void number_operands(struct xv_insn *x)
{
    u32 n_reg = 0, n_imm = 0, n_mem = 0;
    for (u32 k = 0; k < x->n_operands; k++) {
        struct xv_operand *o = &x->op[k];
        switch (o->kind) {
        case XV_REG:
            /* A base is numbered as the memory operand before it. */
            o->name = (u8)(o->name ? XED_OPERAND_BASE0 + MIN(n_mem - 1, 1u) : XED_OPERAND_REG0 + n_reg++);
            break;
        case XV_IMM: o->name = (u8)(XED_OPERAND_IMM0 + n_imm++); break;
        case XV_BRANCH: o->name = XED_OPERAND_RELBR; break;
        case XV_AGEN: o->name = XED_OPERAND_AGEN; break;
        case XV_FAR_POINTER: o->name = XED_OPERAND_PTR; break;
        case XV_MEM:
            o->name = (u8)(XED_OPERAND_MEM0 + MIN(n_mem, 1u));
            o->memop = (u8)n_mem;
            if (n_mem < MAX_MEMORY)
                x->memory[n_mem++] = (u8)k;
            break;
        }
    }
    x->n_memory = (u8)n_mem;
}

/* ---- Corrections ---- */

/* The decoder calls these destinations written, but part of them stays as it was. */
static bool keeps_part_of_destination(u32 iclass)
{
    switch (iclass) {
    case XED_ICLASS_CVTPI2PS: case XED_ICLASS_CVTSD2SS: case XED_ICLASS_CVTSS2SD: case XED_ICLASS_MOVHLPS:
    case XED_ICLASS_MOVLHPS: case XED_ICLASS_RCPSS: case XED_ICLASS_RSQRTSS: case XED_ICLASS_SQRTSS:
    case XED_ICLASS_SQRTSD:
    case XED_ICLASS_ROUNDSS: case XED_ICLASS_ROUNDSD: return true;
    case XED_ICLASS_MOVHPS: case XED_ICLASS_MOVHPD: case XED_ICLASS_MOVLPS: case XED_ICLASS_MOVLPD: return true;
    default: return false;
    }
}

/* Immediates that XED does not extend: and, xor (80 /4 /6), or al, xor al, mov reg. */
static bool is_unsigned_immediate(const ZydisDecodedInstruction *i)
{
    if (i->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
        return false;
    return i->opcode == 0x0c || i->opcode == 0x34 || (i->opcode & 0xf0) == 0xb0 ||
           (i->opcode == 0x80 && (i->raw.modrm.reg == 4 || i->raw.modrm.reg == 6));
}

/* A cache line, whatever the operand size. */
static void set_line_size(struct xv_operand *o)
{
    o->width = 512;
    o->n_elements = 8;
    o->element_width = 64;
}

static void correct(struct xv_insn *x, const struct xv_decoded *d)
{
    struct xv_operand *o = x->op;
    if (is_unsigned_immediate(&d->i) && o[1].width < 64)
        o[1].value &= (1ll << o[1].width) - 1;
    if ((x->category == XED_CATEGORY_PREFETCH || x->category == XED_CATEGORY_PREFETCHWT1) && o[0].kind == XV_MEM)
        set_line_size(&o[0]);
    if (x->category == XED_CATEGORY_WIDENOP && o[0].kind == XV_MEM)
        o[0].kind = XV_AGEN;                          /* names an address and leaves it alone */
    switch (x->iclass) {
    case XED_ICLASS_TILELOADD: case XED_ICLASS_TILELOADDT1: case XED_ICLASS_TILESTORED:
        o[x->iclass != XED_ICLASS_TILESTORED].n_elements = 0;
        break;
    case XED_ICLASS_MOVSXD:
        if (o[0].width == 16)                         /* both are 16 bits with a 66 prefix */
            o[1].width = o[1].element_width = 16;
        break;
    case XED_ICLASS_BSF: case XED_ICLASS_BSR:
        o[0].access = XV_WRITE | XV_COND_WRITE;       /* a zero source leaves it */
        break;
    case XED_ICLASS_NOP:
        if (d->i.opcode_map == ZYDIS_OPCODE_MAP_0F && d->i.opcode == 0x1f && x->n_operands == 2)
            x->n_operands = 1;                        /* modrm.reg extends the opcode */
        break;
    case XED_ICLASS_MONITOR: case XED_ICLASS_MONITORX:
        o[1] = xv_suppressed(REG_ECX, XV_READ);
        o[2] = xv_suppressed(REG_EDX, XV_READ);
        break;
    case XED_ICLASS_XLAT:
        o[0].index = REG_AL;
        o[0].scale = 1;
        break;
    case XED_ICLASS_BNDLDX: case XED_ICLASS_BNDSTX:
        o[x->iclass == XED_ICLASS_BNDLDX].access = x->iclass == XED_ICLASS_BNDLDX ? XV_READ : XV_WRITE;
        break;
    case XED_ICLASS_VCMPPH: case XED_ICLASS_VCMPSH: case XED_ICLASS_VFPCLASSPH: case XED_ICLASS_VFPCLASSSH:
        o[0].access = XV_WRITE;
        break;
    case XED_ICLASS_PCMPESTRI64: case XED_ICLASS_PCMPISTRI64: case XED_ICLASS_VPCMPESTRI64:
    case XED_ICLASS_VPCMPISTRI64:
        for (u32 k = 0; k < x->n_operands; k++)
            if (o[k].reg == REG_ECX)
                o[k] = xv_suppressed(REG_RCX, o[k].access);
        break;
    default:
        if (keeps_part_of_destination(x->iclass) && o[0].kind == XV_REG)
            o[0].access = XV_READ | XV_WRITE;
    }
}

static bool has_hidden_memory(const struct xv_decoded *d)
{
    for (u32 k = 0; k < d->i.operand_count; k++)
        if (is_hidden_memory(&d->op[k]))
            return true;
    return false;
}

/* ---- Gather and scatter ---- */

/* The class tells: the letter after GATHER or SCATTER is D or Q; in the prefetch forms PF0 or PF1 comes between. */
static u32 index_width(u32 iclass)
{
    const char *name = xv_iclass_name(iclass), *at = strstr(name, "SCATTER");
    at = at ? at + 7 : strstr(name, "GATHER") + 6;
    if (!strncmp(at, "PF", 2))
        at += 3;
    return *at == 'D' ? 32 : 64;
}

/* How many places they touch: as many as there are indices, but no more than the data register has elements. */
static void count_places(struct xv_insn *x, const struct xv_decoded *d)
{
    for (u32 k = 0; k < d->i.operand_count_visible; k++) {
        if (d->op[k].type != ZYDIS_OPERAND_TYPE_MEMORY || d->op[k].mem.type != ZYDIS_MEMOP_TYPE_VSIB)
            continue;
        struct xv_operand *o = &x->op[k];
        u32 index_bits = index_width(x->iclass);
        u32 n = reg_size((REG)o->index) * 8 / index_bits;
        u32 data = k ? 0 : x->n_operands - 1;       /* a gather's first operand, a scatter's last */
        bool is_mask = x->evex.mask_op && data == x->evex.mask_op;
        if (x->op[data].kind == XV_REG && !is_mask && o->width)
            n = MIN(n, reg_size((REG)x->op[data].reg) * 8 / o->width);
        o->n_elements = (u16)n;
        x->index_size = (u8)(index_bits / 8);
    }
}

/* ---- EVEX ---- */

static void set_evex(struct xv_insn *x, const struct xv_decoded *d)
{
    static const u8 repeats[ZYDIS_BROADCAST_MODE_MAX_VALUE + 1] = {
        [ZYDIS_BROADCAST_MODE_1_TO_2] = 2, [ZYDIS_BROADCAST_MODE_1_TO_4] = 4, [ZYDIS_BROADCAST_MODE_1_TO_8] = 8,
        [ZYDIS_BROADCAST_MODE_1_TO_16] = 16, [ZYDIS_BROADCAST_MODE_1_TO_32] = 32,
    };
    if (d->i.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX)
        return;
    for (u32 k = 1; k < d->i.operand_count_visible; k++)
        if (d->op[k].encoding == ZYDIS_OPERAND_ENCODING_MASK)
            x->evex.mask_op = (u8)k;
    x->evex.is_zeroing = d->i.raw.evex.z;
    if (!d->i.avx.broadcast.is_static)
        x->evex.broadcast = repeats[d->i.avx.broadcast.mode];
    x->evex.rounding = d->i.avx.rounding.mode ? (u8)d->i.avx.rounding.mode : d->i.avx.has_sae ? XV_ROUND_SAE : 0;
}
_Static_assert((int)XV_ROUND_NEAREST == ZYDIS_ROUNDING_MODE_RN && (int)XV_ROUND_ZERO == ZYDIS_ROUNDING_MODE_RZ,
               "same order");

void xv_set_operands(struct xv_insn *x, const struct xv_decoded *d)
{
    const ZydisDecodedOperand *stack = stack_operand(d);
    if (stack)
        list_stack(x, d, stack);
    else if (has_hidden_memory(d))
        list_hidden_memory(x, d);
    else if (xv_list_irregular(x, d))
        ;
    else if (d->i.meta.isa_ext == ZYDIS_ISA_EXT_X87 || x->iclass == XED_ICLASS_FISTTP)
        xv_list_x87(x, d);
    else
        for (u32 k = 0; k < d->i.operand_count; k++)
            xv_push(x, xv_convert(&d->op[k]));
    correct(x, d);
    number_operands(x);
    set_evex(x, d);
    count_places(x, d);
}
