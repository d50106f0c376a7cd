/* encoded.c: XED's encoder over that of Zydis. A request is a struct xv_insn, like a decoded instruction:
 *  (1) with bytes (length > 0) it came from the decoder: what differs from those bytes was asked for, the rest stays;
 *  (2) without, its class and its operands are all there is. */
#include "api/api.h"
#include "api/xed_int.h"
#include "cotter/xed_encoded.h"

static struct xv_insn *view(xed_encoder_request_t *r) { return (struct xv_insn *)r; }

/* ---- operands ---- */
xed_enc_displacement_t xed_disp(xed_int64_t displacement, xed_uint_t bits) { return (xed_enc_displacement_t){ displacement, bits }; }

xed_encoder_operand_t xed_relbr(xed_int32_t displacement, xed_uint_t bits)
{
    return (xed_encoder_operand_t){ XED_ENCODER_OPERAND_TYPE_BRDISP, { .brdisp = displacement }, bits };
}
xed_encoder_operand_t xed_reg(xed_reg_enum_t reg)
{
    return (xed_encoder_operand_t){ XED_ENCODER_OPERAND_TYPE_REG, { .reg = reg }, 0 };
}
xed_encoder_operand_t xed_imm0(xed_uint64_t value, xed_uint_t bits)
{
    return (xed_encoder_operand_t){ XED_ENCODER_OPERAND_TYPE_IMM0, { .imm0 = value }, bits };
}
xed_encoder_operand_t xed_simm0(xed_int32_t value, xed_uint_t bits)
{
    return (xed_encoder_operand_t){ XED_ENCODER_OPERAND_TYPE_SIMM0, { .imm0 = (u64)(s64)value }, bits };
}
xed_encoder_operand_t xed_imm1(xed_uint8_t value)
{
    return (xed_encoder_operand_t){ XED_ENCODER_OPERAND_TYPE_IMM1, { .imm1 = value }, 8 };
}

xed_encoder_operand_t xed_mem_gbisd(xed_reg_enum_t seg, xed_reg_enum_t base, xed_reg_enum_t index, xed_uint_t scale,
                                    xed_enc_displacement_t disp, xed_uint_t bits)
{
    return (xed_encoder_operand_t){ XED_ENCODER_OPERAND_TYPE_MEM, { .mem = { seg, base, index, scale, disp } }, bits };
}
xed_encoder_operand_t xed_mem_gbd(xed_reg_enum_t seg, xed_reg_enum_t base, xed_enc_displacement_t disp, xed_uint_t bits)
{
    return xed_mem_gbisd(seg, base, XED_REG_INVALID, 0, disp, bits);
}
xed_encoder_operand_t xed_mem_gb(xed_reg_enum_t seg, xed_reg_enum_t base, xed_uint_t bits)
{
    return xed_mem_gbd(seg, base, xed_disp(0, 0), bits);
}
xed_encoder_operand_t xed_mem_gd(xed_reg_enum_t seg, xed_enc_displacement_t disp, xed_uint_t bits)
{
    return xed_mem_gbd(seg, XED_REG_INVALID, disp, bits);
}
xed_encoder_operand_t xed_mem_bisd(xed_reg_enum_t base, xed_reg_enum_t index, xed_uint_t scale, xed_enc_displacement_t disp, xed_uint_t bits)
{
    return xed_mem_gbisd(XED_REG_INVALID, base, index, scale, disp, bits);
}
xed_encoder_operand_t xed_mem_bd(xed_reg_enum_t base, xed_enc_displacement_t disp, xed_uint_t bits)
{
    return xed_mem_gbd(XED_REG_INVALID, base, disp, bits);
}
xed_encoder_operand_t xed_mem_b(xed_reg_enum_t base, xed_uint_t bits) { return xed_mem_bd(base, xed_disp(0, 0), bits); }

/* ---- instructions ---- */
void xed_inst(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_uint_t n,
              const xed_encoder_operand_t *operands)
{
    if (n > XED_ENCODER_OPERANDS_MAX)
        api_fatal("xed_inst: %u operands, at most %d are possible", n, XED_ENCODER_OPERANDS_MAX);
    *inst = (xed_encoder_instruction_t){ .mode = mode, .iclass = iclass, .effective_operand_width = width, .noperands = n };
    if (n)
        memcpy(inst->operands, operands, n * sizeof *operands);
}

void xed_inst0(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width)
{
    xed_inst(inst, mode, iclass, width, 0, NULL);
}
void xed_inst1(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a)
{
    xed_inst(inst, mode, iclass, width, 1, &a);
}
void xed_inst2(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a,
               xed_encoder_operand_t b)
{
    xed_inst(inst, mode, iclass, width, 2, (xed_encoder_operand_t[]){ a, b });
}
void xed_inst3(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a,
               xed_encoder_operand_t b, xed_encoder_operand_t c)
{
    xed_inst(inst, mode, iclass, width, 3, (xed_encoder_operand_t[]){ a, b, c });
}
void xed_inst4(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a,
               xed_encoder_operand_t b, xed_encoder_operand_t c, xed_encoder_operand_t d)
{
    xed_inst(inst, mode, iclass, width, 4, (xed_encoder_operand_t[]){ a, b, c, d });
}

/* ---- requests ---- */
void xed_encoder_request_zero(xed_encoder_request_t *r) { xed_decoded_inst_zero(r); }
void xed_encoder_request_zero_set_mode(xed_encoder_request_t *r, const xed_state_t *mode) { xed_decoded_inst_zero_set_mode(r, mode); }
void xed_encoder_request_init_from_decode(xed_decoded_inst_t *x) {}        /* (1): it is one already */
xed_iclass_enum_t xed_encoder_request_get_iclass(const xed_encoder_request_t *r) { return xed_decoded_inst_get_iclass(r); }
void xed_encoder_request_set_iclass(xed_encoder_request_t *r, xed_iclass_enum_t iclass) { view(r)->iclass = (u16)iclass; }

static s64 extended(u64 value, u32 bits) { return bits && bits < 64 ? (s64)(value << (64 - bits)) >> (64 - bits) : (s64)value; }

static bool converted(struct xv_operand *o, const xed_encoder_operand_t *e)
{
    *o = (struct xv_operand){ .visibility = XV_EXPLICIT, .width = (u16)e->width_bits };
    switch (e->type) {
    case XED_ENCODER_OPERAND_TYPE_REG:
        o->kind = XV_REG, o->reg = (u16)e->u.reg, o->width = (u16)(reg_size((REG)e->u.reg) * 8);
        return true;
    case XED_ENCODER_OPERAND_TYPE_MEM:
        o->kind = XV_MEM, o->seg = (u16)e->u.mem.seg, o->base = (u16)e->u.mem.base, o->index = (u16)e->u.mem.index;
        o->scale = (u8)e->u.mem.scale, o->value = extended((u64)e->u.mem.disp.displacement, e->u.mem.disp.displacement_bits);
        return true;
    case XED_ENCODER_OPERAND_TYPE_BRDISP: o->kind = XV_BRANCH, o->value = e->u.brdisp; return true;
    case XED_ENCODER_OPERAND_TYPE_IMM0:
    case XED_ENCODER_OPERAND_TYPE_SIMM0: o->kind = XV_IMM, o->value = extended(e->u.imm0, e->width_bits); return true;
    case XED_ENCODER_OPERAND_TYPE_IMM1: o->kind = XV_IMM, o->value = e->u.imm1; return true;
    default: return false;
    }
}

xed_bool_t xed_convert_to_encoder_request(xed_encoder_request_t *r, xed_encoder_instruction_t *inst)
{
    xed_encoder_request_zero_set_mode(r, &inst->mode);
    view(r)->iclass = (u16)inst->iclass;
    view(r)->n_operands = (u8)inst->noperands;
    for (u32 k = 0; k < inst->noperands; k++)
        if (!converted(&view(r)->op[k], &inst->operands[k]))
            return 0;
    return 1;
}

/* ---- changes of a request ---- */
static struct xv_operand *of_kind(xed_encoder_request_t *r, enum xv_kind a, enum xv_kind b, const char *what)
{
    for (u32 k = 0; k < view(r)->n_operands; k++) {
        struct xv_operand *o = &view(r)->op[k];
        if ((o->kind == a || o->kind == b) && o->visibility != XV_SUPPRESSED)
            return o;
    }
    api_fatal("XED: %s has no %s to set", xv_iclass_name(view(r)->iclass), what);
}
static struct xv_operand *memory_of(xed_encoder_request_t *r) { return of_kind(r, XV_MEM, XV_AGEN, "memory operand"); }

void xed_encoder_request_set_branch_displacement(xed_encoder_request_t *r, xed_int32_t displacement, xed_uint_t bytes)
{
    struct xv_operand *o = of_kind(r, XV_BRANCH, XV_BRANCH, "branch displacement");
    o->value = displacement, o->width = (u16)(bytes * 8);
}
void xed_encoder_request_set_memory_displacement(xed_encoder_request_t *r, xed_int64_t displacement, xed_uint_t bytes)
{
    memory_of(r)->value = bytes ? extended((u64)displacement, bytes * 8) : 0;
}
void xed_encoder_request_set_base0(xed_encoder_request_t *r, xed_reg_enum_t reg) { memory_of(r)->base = (u16)reg; }
void xed_encoder_request_set_index(xed_encoder_request_t *r, xed_reg_enum_t reg) { memory_of(r)->index = (u16)reg; }
void xed_encoder_request_set_scale(xed_encoder_request_t *r, xed_uint_t scale) { memory_of(r)->scale = (u8)scale; }
void xed_encoder_request_set_seg0(xed_encoder_request_t *r, xed_reg_enum_t reg) { memory_of(r)->seg = (u16)reg; }
void xed_encoder_request_set_uimm0(xed_encoder_request_t *r, xed_uint64_t value, xed_uint_t bytes)
{
    of_kind(r, XV_IMM, XV_IMM, "immediate")->value = extended(value, bytes * 8);
}
void xed_encoder_request_set_simm(xed_encoder_request_t *r, xed_int32_t value, xed_uint_t bytes)
{
    of_kind(r, XV_IMM, XV_IMM, "immediate")->value = extended((u64)(s64)value, bytes * 8);
}
void xed_encoder_request_set_reg(xed_encoder_request_t *r, xed_operand_enum_t name, xed_reg_enum_t reg)
{
    for (u32 k = 0; k < view(r)->n_operands; k++)
        if (view(r)->op[k].kind == XV_REG && view(r)->op[k].name == name) {
            view(r)->op[k].reg = (u16)reg;
            return;
        }
    api_fatal("xed_encoder_request_set_reg: %s has no such operand", xv_iclass_name(view(r)->iclass));
}

/* ---- encoding ---- */
static ZydisRegister to_zydis(u32 reg)
{
    for (ZydisRegister z = ZYDIS_REGISTER_NONE + 1; reg != REG_INVALID_ && z <= ZYDIS_REGISTER_MAX_VALUE; z++)
        if ((u32)xv_reg_from_zydis(z) == reg)
            return z;
    return ZYDIS_REGISTER_NONE;
}

static void put_segment(ZydisEncoderRequest *q, u32 seg)
{
    q->prefixes &= ~(ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS);
    if (seg == XED_REG_FS)
        q->prefixes |= ZYDIS_ATTRIB_HAS_SEGMENT_FS;
    if (seg == XED_REG_GS)
        q->prefixes |= ZYDIS_ATTRIB_HAS_SEGMENT_GS;
}

static void put_branch(ZydisEncoderRequest *q, const struct xv_operand *o)
{
    q->branch_type = o->width == 8 ? ZYDIS_BRANCH_TYPE_SHORT : ZYDIS_BRANCH_TYPE_NEAR;
    q->branch_width = o->width == 8 ? ZYDIS_BRANCH_WIDTH_8 : o->width == 16 ? ZYDIS_BRANCH_WIDTH_16 : ZYDIS_BRANCH_WIDTH_32;
}

static void put_operand(ZydisEncoderRequest *q, u32 n, const struct xv_operand *o)
{
    ZydisEncoderOperand *z = &q->operands[n];
    u16 size = z->type == ZYDIS_OPERAND_TYPE_MEMORY ? z->mem.size : o->width / 8;
    memset(z, 0, sizeof *z);
    switch (o->kind) {
    case XV_REG: z->type = ZYDIS_OPERAND_TYPE_REGISTER; z->reg.value = to_zydis(o->reg); break;
    case XV_MEM:
    case XV_AGEN:
        z->type = ZYDIS_OPERAND_TYPE_MEMORY;
        z->mem.base = to_zydis(o->base), z->mem.index = to_zydis(o->index);
        z->mem.scale = z->mem.index == ZYDIS_REGISTER_NONE ? 0 : o->scale;
        z->mem.displacement = o->value, z->mem.size = size;
        put_segment(q, o->seg);
        break;
    case XV_BRANCH: put_branch(q, o); /* fall through */
    default: z->type = ZYDIS_OPERAND_TYPE_IMMEDIATE; z->imm.s = o->value; break;
    }
}

static bool is_same(const struct xv_operand *a, const struct xv_operand *b)
{
    return a->kind == b->kind && a->reg == b->reg && a->seg == b->seg && a->base == b->base && a->index == b->index &&
           a->scale == b->scale && a->value == b->value && a->width == b->width;
}

/* (1) What the bytes say, with the changes. False: nothing was changed. */
static bool changed(ZydisEncoderRequest *q, const struct xv_insn *x)
{
    struct xv_insn was;
    struct xv_decoded d;
    ZydisDecoder decoder;
    bool any = false;
    xv_decode(&was, x->bytes, x->length, x->address);
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, x->bytes, x->length, &d.i, d.op)) ||
        ZYAN_FAILED(ZydisEncoderDecodedInstructionToEncoderRequest(&d.i, d.op, d.i.operand_count_visible, q)))
        return false;
    if (x->iclass != was.iclass)
        any = true, q->mnemonic = xv_mnemonic(x->iclass);
    for (u32 k = 0, n = 0; k < x->n_operands && n < q->operand_count; k++) {
        if (was.op[k].visibility == XV_SUPPRESSED)
            continue;
        if (!is_same(&x->op[k], &was.op[k]))
            any = true, put_operand(q, n, &x->op[k]);
        n++;
    }
    return any;
}

/* (2) */
static void from_nothing(ZydisEncoderRequest *q, const struct xv_insn *x)
{
    *q = (ZydisEncoderRequest){ .machine_mode = ZYDIS_MACHINE_MODE_LONG_64, .mnemonic = xv_mnemonic(x->iclass), .operand_count = x->n_operands };
    for (u32 k = 0; k < x->n_operands; k++)
        put_operand(q, k, &x->op[k]);
}

static u32 nop_length(u32 iclass) { return iclass >= XED_ICLASS_NOP2 && iclass <= XED_ICLASS_NOP9 ? 2 + iclass - XED_ICLASS_NOP2 : 0; }

static xed_error_enum_t store(xed_uint8_t *to, unsigned int room, const u8 *bytes, u32 n, unsigned int *length)
{
    if (n > room)
        return XED_ERROR_BUFFER_TOO_SHORT;
    memcpy(to, bytes, n);
    *length = n;
    return XED_ERROR_NONE;
}

xed_error_enum_t xed_encode_nop(xed_uint8_t *bytes, unsigned int length)
{
    bool is_one = length >= 1 && length <= 9;
    return is_one && ZYAN_SUCCESS(ZydisEncoderNopFill(bytes, length)) ? XED_ERROR_NONE : XED_ERROR_GENERAL_ERROR;
}

xed_error_enum_t xed_encode(xed_encoder_request_t *r, xed_uint8_t *bytes, unsigned int room, unsigned int *length)
{
    const struct xv_insn *x = view(r);
    ZydisEncoderRequest q;
    u8 made[ZYDIS_MAX_INSTRUCTION_LENGTH];
    ZyanUSize n = sizeof made;
    if (x->length && !changed(&q, x))
        return store(bytes, room, x->bytes, x->length, length);
    if (!x->length && nop_length(x->iclass)) {
        n = nop_length(x->iclass);
        return xed_encode_nop(made, (u32)n) == XED_ERROR_NONE ? store(bytes, room, made, (u32)n, length) : XED_ERROR_GENERAL_ERROR;
    }
    if (!x->length)
        from_nothing(&q, x);
    if (q.mnemonic == ZYDIS_MNEMONIC_INVALID || ZYAN_FAILED(ZydisEncoderEncodeInstruction(&q, made, &n)))
        return XED_ERROR_GENERAL_ERROR;
    return store(bytes, room, made, (u32)n, length);
}
