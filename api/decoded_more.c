/* decoded_more.c: the rest of XED's questions: how an instruction is encoded, what its elements are, flags, classes
 * of registers. What the instruction view does not keep is decoded again. */
#include "api/api.h"
#include "api/xed_int.h"

static const struct xv_insn *view(const xed_decoded_inst_t *x) { return (const struct xv_insn *)x; }
static const struct xv_operand *operand(const xed_operand_t *o) { return (const struct xv_operand *)o; }

/* What Zydis says of it; all zero for what is no instruction. */
static struct xv_decoded again(const xed_decoded_inst_t *x)
{
    ZydisDecoder decoder;
    struct xv_decoded d;
    memset(&d, 0, sizeof d);
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, view(x)->bytes, view(x)->length, &d.i, d.op)))
        memset(&d, 0, sizeof d);
    return d;
}

/* ---- widths and prefixes ---- */
const xed_operand_values_t *xed_decoded_inst_operands_const(const xed_decoded_inst_t *x) { return x; }
xed_operand_values_t *xed_decoded_inst_operands(xed_decoded_inst_t *x) { return x; }
xed_uint_t xed_operand_values_get_effective_operand_width(const xed_operand_values_t *x) { return again(x).i.operand_width; }
xed_uint_t xed_operand_values_get_effective_address_width(const xed_operand_values_t *x) { return view(x)->address_width; }
xed_uint_t xed_operand_values_get_stack_address_width(const xed_operand_values_t *x) { return 64; }
xed_uint64_t xed_operand_values_get_immediate_uint64(const xed_operand_values_t *x) { return xed_decoded_inst_get_unsigned_immediate(x); }
xed_bool_t xed_operand_values_has_real_rep(const xed_operand_values_t *x) { return xv_is(view(x), XV_IS_REAL_REP); }
xed_bool_t xed_operand_values_has_lock_prefix(const xed_operand_values_t *x) { return xv_is(view(x), XV_IS_LOCK_PREFIX); }
xed_bool_t xed_operand_values_has_rep_prefix(const xed_operand_values_t *x) { return xv_is(view(x), XV_IS_REP_PREFIX); }
xed_bool_t xed_operand_values_has_repne_prefix(const xed_operand_values_t *x) { return xv_is(view(x), XV_IS_REPNE_PREFIX); }
xed_bool_t xed_operand_values_has_operand_size_prefix(const xed_operand_values_t *x) { return xv_is(view(x), XV_IS_OPERAND_SIZE_PREFIX); }
xed_bool_t xed_operand_values_has_address_size_prefix(const xed_operand_values_t *x) { return xv_is(view(x), XV_IS_ADDRESS_SIZE_PREFIX); }
xed_bool_t xed_operand_values_has_segment_prefix(const xed_operand_values_t *x) { return xv_is(view(x), XV_IS_SEGMENT_PREFIX); }
xed_bool_t xed_operand_values_get_atomic(const xed_operand_values_t *x)
{
    return xv_is(view(x), XV_IS_LOCK_PREFIX) || (view(x)->iclass == XED_ICLASS_XCHG && view(x)->n_memory);
}
void xed_decoded_inst_set_input_chip(xed_decoded_inst_t *x, xed_chip_enum_t chip) {}
xed_bool_t xed_decoded_inst_is_prefetch(const xed_decoded_inst_t *x) { return xv_is(view(x), XV_IS_PREFETCH); }
xed_uint_t xed_decoded_inst_vector_length_bits(const xed_decoded_inst_t *x) { return again(x).i.avx.vector_length; }

xed_uint_t xed_decoded_inst_get_branch_displacement_width_bits(const xed_decoded_inst_t *x)
{
    struct xv_decoded d = again(x);
    return d.i.raw.imm[0].is_relative ? d.i.raw.imm[0].size : 0;
}
xed_uint_t xed_decoded_inst_get_branch_displacement_width(const xed_decoded_inst_t *x)
{
    return xed_decoded_inst_get_branch_displacement_width_bits(x) / 8;
}
/* Only the explicit memory operand has a displacement; the hidden ones (of push, movs) are just registers. */
xed_uint_t xed_decoded_inst_get_memory_displacement_width_bits(const xed_decoded_inst_t *x, xed_uint_t n)
{
    const struct xv_operand *o = xv_explicit_memory(view(x));
    bool is_it = o && (o->kind == XV_AGEN ? n == 0 : o->memop == n);
    return is_it ? again(x).i.raw.disp.size : 0;
}
xed_uint_t xed_decoded_inst_get_memory_displacement_width(const xed_decoded_inst_t *x, xed_uint_t n)
{
    return xed_decoded_inst_get_memory_displacement_width_bits(x, n) / 8;
}
xed_uint_t xed_decoded_inst_get_immediate_width_bits(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_immediate_width(x) * 8; }

/* Of a stack operand it is the stack's, whatever prefix there is. */
xed_uint_t xed_decoded_inst_get_memop_address_width(const xed_decoded_inst_t *x, xed_uint_t n)
{
    if (n < view(x)->n_memory && xv_memop(view(x), n)->visibility == XV_SUPPRESSED && xv_memop(view(x), n)->base == REG_RSP)
        return 64;
    return view(x)->address_width;
}

/* ---- operands ---- */
static bool reads(const xed_operand_t *o) { return (operand(o)->access & XV_READ) != 0; }
static bool writes(const xed_operand_t *o) { return (operand(o)->access & XV_WRITE) != 0; }
xed_uint_t xed_operand_read_only(const xed_operand_t *o) { return reads(o) && !writes(o); }
xed_uint_t xed_operand_written_only(const xed_operand_t *o) { return writes(o) && !reads(o); }
xed_uint_t xed_operand_read_and_written(const xed_operand_t *o) { return reads(o) && writes(o); }
xed_uint_t xed_operand_conditional_read(const xed_operand_t *o) { return (operand(o)->access & XV_COND_READ) != 0; }
xed_uint_t xed_operand_conditional_write(const xed_operand_t *o) { return (operand(o)->access & XV_COND_WRITE) != 0; }

#define ELEMENT_TYPES(X) X(INVALID) X(UINT) X(INT) X(SINGLE) X(DOUBLE) X(LONGDOUBLE) X(LONGBCD) X(STRUCT) X(VARIABLE) X(FLOAT16) X(BFLOAT16)

const char *xed_operand_element_type_enum_t2str(xed_operand_element_type_enum_t t)
{
#define NAME(name) [XED_OPERAND_ELEMENT_TYPE_##name] = #name,
    static const char *const names[] = { ELEMENT_TYPES(NAME) };
#undef NAME
    return (u32)t < ARRAY_LEN(names) ? names[t] : "INVALID";
}

static xed_operand_element_type_enum_t element_type(ZydisElementType t)
{
    switch (t) {
    case ZYDIS_ELEMENT_TYPE_UINT: return XED_OPERAND_ELEMENT_TYPE_UINT;
    case ZYDIS_ELEMENT_TYPE_INT: return XED_OPERAND_ELEMENT_TYPE_INT;
    case ZYDIS_ELEMENT_TYPE_FLOAT16: return XED_OPERAND_ELEMENT_TYPE_FLOAT16;
    case ZYDIS_ELEMENT_TYPE_FLOAT32: return XED_OPERAND_ELEMENT_TYPE_SINGLE;
    case ZYDIS_ELEMENT_TYPE_FLOAT64: return XED_OPERAND_ELEMENT_TYPE_DOUBLE;
    case ZYDIS_ELEMENT_TYPE_FLOAT80: return XED_OPERAND_ELEMENT_TYPE_LONGDOUBLE;
    case ZYDIS_ELEMENT_TYPE_LONGBCD: return XED_OPERAND_ELEMENT_TYPE_LONGBCD;
    case ZYDIS_ELEMENT_TYPE_STRUCT: return XED_OPERAND_ELEMENT_TYPE_STRUCT;
    default: return XED_OPERAND_ELEMENT_TYPE_INT;
    }
}

/* The visible operands are in the same order in both views; registers that nobody prints are integers. */
xed_operand_element_type_enum_t xed_decoded_inst_operand_element_type(const xed_decoded_inst_t *x, xed_uint_t n)
{
    struct xv_decoded d = again(x);
    if (n >= view(x)->n_operands)
        api_fatal("XED: the instruction has %u operands, not %u", view(x)->n_operands, n + 1);
    u32 visible = 0;
    for (u32 k = 0; k < n; k++)
        visible += view(x)->op[k].visibility != XV_SUPPRESSED;
    if (view(x)->op[n].visibility == XV_SUPPRESSED || visible >= d.i.operand_count_visible)
        return XED_OPERAND_ELEMENT_TYPE_INT;
    return element_type(d.op[visible].element_type);
}

/* ---- flags ---- */
static __thread xed_simple_flag_t flags;
xed_bool_t xed_decoded_inst_uses_rflags(const xed_decoded_inst_t *x) { return view(x)->flags_read || view(x)->flags_written; }
const xed_simple_flag_t *xed_decoded_inst_get_rflags_info(const xed_decoded_inst_t *x)
{
    flags.read.flat = view(x)->flags_read;
    flags.written.flat = view(x)->flags_written;
    return &flags;
}
const xed_flag_set_t *xed_simple_flag_get_read_flag_set(const xed_simple_flag_t *f) { return &f->read; }
const xed_flag_set_t *xed_simple_flag_get_written_flag_set(const xed_simple_flag_t *f) { return &f->written; }
xed_bool_t xed_simple_flag_reads_flags(const xed_simple_flag_t *f) { return f->read.flat != 0; }
xed_bool_t xed_simple_flag_writes_flags(const xed_simple_flag_t *f) { return f->written.flat != 0; }

/* ---- registers ---- */
xed_reg_class_enum_t xed_reg_class(xed_reg_enum_t reg)
{
    if (reg >= XED_REG_STACKPUSH)
        return reg <= XED_REG_STACKPOP ? XED_REG_CLASS_PSEUDO : XED_REG_CLASS_PSEUDOX87;
    switch (reg_class((REG)reg)) {
    case REG_CLASS_GR64: case REG_CLASS_GR32: case REG_CLASS_GR16: case REG_CLASS_LOW8: case REG_CLASS_HIGH8: return XED_REG_CLASS_GPR;
    case REG_CLASS_SEG: return XED_REG_CLASS_SR;
    case REG_CLASS_SEG_BASE: return XED_REG_CLASS_PSEUDO;
    case REG_CLASS_FLAGS: case REG_CLASS_FLAGS_PART: case REG_CLASS_STATUS_FLAGS: case REG_CLASS_DF_FLAG: return XED_REG_CLASS_FLAGS;
    case REG_CLASS_IP: case REG_CLASS_IP_PART: return XED_REG_CLASS_IP;
    case REG_CLASS_MM: return XED_REG_CLASS_MMX;
    case REG_CLASS_XMM: return XED_REG_CLASS_XMM;
    case REG_CLASS_YMM: return XED_REG_CLASS_YMM;
    case REG_CLASS_ZMM: return XED_REG_CLASS_ZMM;
    case REG_CLASS_K: return XED_REG_CLASS_MASK;
    case REG_CLASS_TMM: return XED_REG_CLASS_TREG;
    case REG_CLASS_MXCSR: return XED_REG_CLASS_MXCSR;
    case REG_CLASS_ST: return XED_REG_CLASS_X87;
    case REG_CLASS_X87: case REG_CLASS_FPSTATE: return XED_REG_CLASS_PSEUDOX87;
    default: return XED_REG_CLASS_INVALID;
    }
}

xed_reg_class_enum_t xed_gpr_reg_class(xed_reg_enum_t reg)
{
    switch (reg_class((REG)reg)) {
    case REG_CLASS_GR64: return XED_REG_CLASS_GPR64;
    case REG_CLASS_GR32: return XED_REG_CLASS_GPR32;
    case REG_CLASS_GR16: return XED_REG_CLASS_GPR16;
    case REG_CLASS_LOW8: case REG_CLASS_HIGH8: return XED_REG_CLASS_GPR8;
    default: return XED_REG_CLASS_INVALID;
    }
}

xed_reg_enum_t xed_get_largest_enclosing_register(xed_reg_enum_t reg)
{
    switch (reg_class((REG)reg)) {
    case REG_CLASS_XMM: return XED_REG_ZMM0 + (reg - XED_REG_XMM0);
    case REG_CLASS_YMM: return XED_REG_ZMM0 + (reg - XED_REG_YMM0);
    default: return reg >= XED_REG_STACKPUSH ? reg : (xed_reg_enum_t)reg_full((REG)reg);
    }
}

xed_uint32_t xed_get_register_width_bits(xed_reg_enum_t reg) { return reg_size((REG)reg) * 8; }
xed_uint32_t xed_get_register_width_bits64(xed_reg_enum_t reg) { return xed_get_register_width_bits(reg); }

/* ---- printing ---- */
void xed_init_print_info(xed_print_info_t *info) { memset(info, 0, sizeof *info), info->syntax = XED_SYNTAX_INTEL; }
xed_bool_t xed_format_generic(xed_print_info_t *info)
{
    return xed_format_context(info->syntax, info->p, info->buf, info->blen, info->runtime_address, info->context, NULL);
}
