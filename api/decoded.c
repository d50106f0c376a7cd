/* decoded.c: XED's names over the instruction view. An xed_decoded_inst_t is a struct xv_insn. */
#include "api/api.h"
#include "api/xed_int.h"

_Static_assert(sizeof(struct xv_insn) == sizeof(xed_decoded_inst_t), "tools copy what INS_XedDec points to");
_Static_assert((int)XED_REG_STACKPUSH == (int)REG_LAST, "the two enumerations have the same numbers");

static const struct xv_insn *view(const xed_decoded_inst_t *x) { return (const struct xv_insn *)x; }

xed_decoded_inst_t *INS_XedDec(INS ins) { return (xed_decoded_inst_t *)code_xed(ins); }

REG INS_XedExactMapToPinReg(xed_reg_enum_t reg)
{
    if (reg == XED_REG_INVALID || (REG)reg >= REG_LAST)
        api_fatal("INS_XedExactMapToPinReg: %d is no register that tools know", reg);
    return (REG)reg;
}

xed_reg_enum_t INS_XedExactMapFromPinReg(REG reg)
{
    enum reg_class c = reg_class(reg);
    bool is_tools = c == REG_CLASS_INST || c == REG_CLASS_INST_HALF || c == REG_CLASS_BUF || c == REG_CLASS_NONE;
    return is_tools ? XED_REG_INVALID : (xed_reg_enum_t)reg;
}

/* ---- names ---- */
const char *xed_iclass_enum_t2str(xed_iclass_enum_t n) { return xv_iclass_name(n); }
const char *xed_category_enum_t2str(xed_category_enum_t n) { return xv_category_name(n); }
const char *xed_extension_enum_t2str(xed_extension_enum_t n) { return xv_extension_name(n); }

const char *xed_reg_enum_t2str(xed_reg_enum_t n)
{
#define NAME(name, text, bytes, class_) [XED_REG_##name] = #name,
    static const char *const names[] = {
        REG_LIST(NAME)
        [XED_REG_STACKPUSH] = "STACKPUSH", [XED_REG_STACKPOP] = "STACKPOP", [XED_REG_X87PUSH] = "X87PUSH", [XED_REG_X87POP] = "X87POP",
        [XED_REG_X87POP2] = "X87POP2",
    };
#undef NAME
    const char *s = n < ARRAY_LEN(names) && names[n] ? names[n] : "INVALID";
    if (n == XED_REG_FSBASE || n == XED_REG_GSBASE)
        return n == XED_REG_FSBASE ? "FSBASE" : "GSBASE";
    return strncmp(s, "SEG_", 4) ? s : s + 4;
}

const char *xed_operand_enum_t2str(xed_operand_enum_t n)
{
#define NAME(name) [XED_OPERAND_##name] = #name,
    static const char *const names[] = { XED_OPERAND_LIST(NAME) };
#undef NAME
    return n < ARRAY_LEN(names) && names[n] ? names[n] : "INVALID";
}

const char *xed_syntax_enum_t2str(xed_syntax_enum_t n)
{
    static const char *const names[] = { "INVALID", "XED", "ATT", "INTEL" };
    return (u32)n < ARRAY_LEN(names) ? names[n] : "???";
}
const char *xed_operand_visibility_enum_t2str(xed_operand_visibility_enum_t n)
{
    static const char *const names[] = { "INVALID", "EXPLICIT", "IMPLICIT", "SUPPRESSED" };
    return (u32)n < ARRAY_LEN(names) ? names[n] : "???";
}
const char *xed_attribute_enum_t2str(xed_attribute_enum_t n)
{
    static const char *const names[] = { "INVALID", "LOCKED", "REP", "SIMD_SCALAR", "GATHER", "SCATTER", "PREFETCH", "MASKOP",
                                         "MASKOP_EVEX" };
    return (u32)n < ARRAY_LEN(names) ? names[n] : "???";
}
const char *xed_error_enum_t2str(xed_error_enum_t n)
{
    return n == XED_ERROR_NONE ? "NONE" : n == XED_ERROR_BUFFER_TOO_SHORT ? "BUFFER_TOO_SHORT" : "GENERAL_ERROR";
}

/* ---- decoding ---- */
static void need_64(xed_machine_mode_enum_t mode)
{
    if (mode != XED_MACHINE_MODE_LONG_64)
        api_fatal("XED: only XED_MACHINE_MODE_LONG_64 can be decoded");
}

void xed_tables_init(void) {}                       /* there is nothing to prepare */
void xed_state_zero(xed_state_t *s) { *s = (xed_state_t){ XED_MACHINE_MODE_LONG_64, XED_ADDRESS_WIDTH_64b }; }

void xed_state_init2(xed_state_t *s, xed_machine_mode_enum_t mode, xed_address_width_enum_t stack)
{
    need_64(mode);
    *s = (xed_state_t){ mode, stack };
}

void xed_state_init(xed_state_t *s, xed_machine_mode_enum_t mode, xed_address_width_enum_t ignored, xed_address_width_enum_t stack)
{
    xed_state_init2(s, mode, stack);
}

void xed_decoded_inst_zero(xed_decoded_inst_t *x) { memset(x, 0, sizeof *x); }
void xed_decoded_inst_zero_keep_mode(xed_decoded_inst_t *x) { xed_decoded_inst_zero(x); }

void xed_decoded_inst_zero_set_mode(xed_decoded_inst_t *x, const xed_state_t *s)
{
    need_64(s->mmode);
    xed_decoded_inst_zero(x);
}

void xed_decoded_inst_set_mode(xed_decoded_inst_t *x, xed_machine_mode_enum_t mode, xed_address_width_enum_t stack) { need_64(mode); }

xed_error_enum_t xed_decode(xed_decoded_inst_t *x, const xed_uint8_t *bytes, unsigned int n)
{
    struct insn in;
    u32 avail = MIN(n, arch_info.max_insn_len);
    if (!avail || arch_decode(bytes, avail, 0, &in) == DECODE_TRUNCATED)
        return XED_ERROR_BUFFER_TOO_SHORT;
    return xv_decode((struct xv_insn *)x, bytes, avail, 0) ? XED_ERROR_NONE : XED_ERROR_GENERAL_ERROR;
}

xed_bool_t xed_decoded_inst_valid(const xed_decoded_inst_t *x) { return view(x)->iclass != XED_ICLASS_INVALID; }

/* ---- the instruction ---- */
xed_iclass_enum_t xed_decoded_inst_get_iclass(const xed_decoded_inst_t *x) { return view(x)->iclass; }
xed_category_enum_t xed_decoded_inst_get_category(const xed_decoded_inst_t *x) { return view(x)->category; }
xed_extension_enum_t xed_decoded_inst_get_extension(const xed_decoded_inst_t *x) { return view(x)->extension; }
xed_uint_t xed_decoded_inst_get_length(const xed_decoded_inst_t *x) { return view(x)->length; }
xed_uint_t xed_decoded_inst_get_machine_mode_bits(const xed_decoded_inst_t *x) { return 64; }
xed_uint32_t xed_decoded_inst_get_operand_width(const xed_decoded_inst_t *x) { return view(x)->n_operands ? view(x)->op[0].width : 0; }
xed_bool_t xed_decoded_inst_uses_embedded_broadcast(const xed_decoded_inst_t *x) { return view(x)->evex.broadcast != 0; }

xed_uint_t xed_decoded_inst_get_byte(const xed_decoded_inst_t *x, xed_uint_t i)
{
    return i < view(x)->length && i < sizeof view(x)->bytes ? view(x)->bytes[i] : 0;
}

xed_bool_t xed_classify_sse(const xed_decoded_inst_t *x)
{
    switch (view(x)->extension) {
    case XED_EXTENSION_SSE: case XED_EXTENSION_SSE2: case XED_EXTENSION_SSE3: case XED_EXTENSION_SSSE3: case XED_EXTENSION_SSE4:
    case XED_EXTENSION_SSE4A: case XED_EXTENSION_AES: case XED_EXTENSION_PCLMULQDQ: case XED_EXTENSION_SHA:
        return 1;
    default: return 0;
    }
}

xed_bool_t xed_classify_avx512(const xed_decoded_inst_t *x)
{
    return view(x)->extension == XED_EXTENSION_AVX512EVEX || view(x)->extension == XED_EXTENSION_AVX512VEX;
}

xed_bool_t xed_classify_avx(const xed_decoded_inst_t *x)
{
    switch (view(x)->extension) {
    case XED_EXTENSION_AVX: case XED_EXTENSION_AVX2: case XED_EXTENSION_AVX2GATHER: case XED_EXTENSION_AVXAES:
    case XED_EXTENSION_F16C: case XED_EXTENSION_FMA: case XED_EXTENSION_FMA4: case XED_EXTENSION_XOP:
        return 1;
    default: return 0;
    }
}

/* Scalar vector instructions are known by their names: ADDSS, VFMADD213SD, CVTSI2SD. */
static bool is_scalar(const xed_decoded_inst_t *x)
{
    const char *name = xv_iclass_name(view(x)->iclass);
    size_t n = strlen(name);
    bool is_vector = xed_classify_sse(x) || xed_classify_avx(x) || xed_classify_avx512(x);
    if (!is_vector || n < 3)
        return false;
    const char *end = name + n - 2;
    if (!strcmp(end, "SS") || !strcmp(end, "SD") || !strcmp(end, "SH"))
        return true;
    return strstr(name, "MOVSD_XMM") || strstr(name, "CMPSD_XMM") || strstr(name, "CVTSS2SI") || strstr(name, "CVTSD2SI") ||
           strstr(name, "CVTTSS2SI") || strstr(name, "CVTTSD2SI");
}

/* A mask that is no operand of EVEX: in a vector register. */
static bool has_vector_mask(const struct xv_insn *x)
{
    switch (x->iclass) {
    case XED_ICLASS_MASKMOVDQU: case XED_ICLASS_MASKMOVQ: case XED_ICLASS_VMASKMOVDQU: case XED_ICLASS_VMASKMOVPS:
    case XED_ICLASS_VMASKMOVPD: case XED_ICLASS_VPMASKMOVD: case XED_ICLASS_VPMASKMOVQ: return true;
    default: return false;
    }
}

xed_uint32_t xed_decoded_inst_get_attribute(const xed_decoded_inst_t *x, xed_attribute_enum_t a)
{
    switch (a) {
    case XED_ATTRIBUTE_LOCKED: return xv_is(view(x), XV_IS_LOCK_PREFIX);
    case XED_ATTRIBUTE_REP: return xv_is(view(x), XV_IS_REAL_REP);
    case XED_ATTRIBUTE_SIMD_SCALAR: return is_scalar(x);
    case XED_ATTRIBUTE_GATHER: return xv_is(view(x), XV_IS_VGATHER);
    case XED_ATTRIBUTE_SCATTER: return xv_is(view(x), XV_IS_VSCATTER);
    case XED_ATTRIBUTE_PREFETCH: return xv_is(view(x), XV_IS_PREFETCH);
    case XED_ATTRIBUTE_MASKOP: return has_vector_mask(view(x));
    case XED_ATTRIBUTE_MASKOP_EVEX: return view(x)->evex.mask_op != 0;
    default: api_fatal("xed_decoded_inst_get_attribute: unknown attribute %d", a);
    }
}

xed_bool_t xed_format_context(xed_syntax_enum_t syntax, const xed_decoded_inst_t *x, char *text, int size, xed_uint64_t address,
                              void *context, void *symbols)
{
    struct xv_insn here = *view(x);
    struct insn in;
    here.address = address;
    if (syntax == XED_SYNTAX_ATT)
        return arch_decode(here.bytes, here.length, address, &in) == DECODE_OK && arch_format(&in, text, (size_t)size) < (size_t)size;
    return (syntax == XED_SYNTAX_XED ? xv_format_all : xv_format)(&here, text, (u32)size) < (u32)size;
}

void xed_decoded_inst_dump(const xed_decoded_inst_t *x, char *text, int size) { xv_format_all(view(x), text, (u32)size); }

/* ---- operands: an xed_inst_t is the same object again, an xed_operand_t a struct xv_operand ---- */
static const struct xv_operand *operand(const xed_operand_t *o) { return (const struct xv_operand *)o; }

static const struct xv_operand *nth(const xed_decoded_inst_t *x, xed_uint_t n)
{
    if (n >= view(x)->n_operands)
        api_fatal("XED: the instruction has %u operands, not %u", view(x)->n_operands, n + 1);
    return &view(x)->op[n];
}

const xed_inst_t *xed_decoded_inst_inst(const xed_decoded_inst_t *x) { return (const xed_inst_t *)x; }
xed_uint_t xed_decoded_inst_noperands(const xed_decoded_inst_t *x) { return view(x)->n_operands; }
static const xed_decoded_inst_t *decoded(const xed_inst_t *i) { return (const xed_decoded_inst_t *)i; }
xed_iclass_enum_t xed_inst_iclass(const xed_inst_t *i) { return xed_decoded_inst_get_iclass(decoded(i)); }
xed_category_enum_t xed_inst_category(const xed_inst_t *i) { return xed_decoded_inst_get_category(decoded(i)); }
xed_extension_enum_t xed_inst_extension(const xed_inst_t *i) { return xed_decoded_inst_get_extension(decoded(i)); }
xed_uint32_t xed_inst_get_attribute(const xed_inst_t *i, xed_attribute_enum_t a) { return xed_decoded_inst_get_attribute(decoded(i), a); }
xed_uint_t xed_inst_noperands(const xed_inst_t *i) { return ((const struct xv_insn *)i)->n_operands; }
const xed_operand_t *xed_inst_operand(const xed_inst_t *i, xed_uint_t n) { return (const xed_operand_t *)nth((const xed_decoded_inst_t *)i, n); }
xed_operand_enum_t xed_operand_name(const xed_operand_t *o) { return operand(o)->name; }
xed_uint_t xed_operand_read(const xed_operand_t *o) { return (operand(o)->access & XV_READ) != 0; }
xed_uint_t xed_operand_written(const xed_operand_t *o) { return (operand(o)->access & XV_WRITE) != 0; }
xed_uint_t xed_operand_is_register(xed_operand_enum_t n) { return n >= XED_OPERAND_REG0 && n <= XED_OPERAND_REG9; }
xed_uint_t xed_operand_is_memory_addressing_register(xed_operand_enum_t n) { return n == XED_OPERAND_BASE0 || n == XED_OPERAND_BASE1; }
xed_uint_t xed_decoded_inst_operand_length_bits(const xed_decoded_inst_t *x, xed_uint_t n) { return nth(x, n)->width; }
xed_uint_t xed_decoded_inst_operand_length(const xed_decoded_inst_t *x, xed_uint_t n) { return nth(x, n)->width / 8u; }
xed_uint_t xed_decoded_inst_operand_elements(const xed_decoded_inst_t *x, xed_uint_t n) { return nth(x, n)->n_elements; }
xed_uint_t xed_decoded_inst_operand_element_size_bits(const xed_decoded_inst_t *x, xed_uint_t n) { return nth(x, n)->element_width; }

xed_operand_visibility_enum_t xed_operand_operand_visibility(const xed_operand_t *o)
{
    return operand(o)->visibility == XV_EXPLICIT ? XED_OPVIS_EXPLICIT
         : operand(o)->visibility == XV_IMPLICIT ? XED_OPVIS_IMPLICIT : XED_OPVIS_SUPPRESSED;
}

static xed_reg_enum_t x87_movement(u32 iclass)
{
    switch (iclass) {
    case XED_ICLASS_FBLD: case XED_ICLASS_FILD: case XED_ICLASS_FLD: case XED_ICLASS_FLD1: case XED_ICLASS_FLDL2E:
    case XED_ICLASS_FLDL2T: case XED_ICLASS_FLDLG2: case XED_ICLASS_FLDLN2: case XED_ICLASS_FLDPI: case XED_ICLASS_FLDZ:
    case XED_ICLASS_FPTAN: case XED_ICLASS_FSINCOS: case XED_ICLASS_FXTRACT: return XED_REG_X87PUSH;
    case XED_ICLASS_FCOMPP: case XED_ICLASS_FUCOMPP: return XED_REG_X87POP2;
    default: return XED_REG_X87POP;
    }
}

/* An operand that is no register of the machine: a movement of a stack, or (left without a name) hidden state. */
static xed_reg_enum_t movement(const struct xv_insn *x)
{
    if (x->extension == XED_EXTENSION_X87 || x->iclass == XED_ICLASS_FISTTP)
        return x87_movement(x->iclass);
    for (u32 k = 0; k < x->n_operands; k++)
        if (x->op[k].kind == XV_MEM && x->op[k].visibility == XV_SUPPRESSED && x->op[k].base == REG_RSP)
            return x->op[k].access & XV_WRITE ? XED_REG_STACKPUSH : XED_REG_STACKPOP;
    return XED_REG_INVALID;
}

xed_reg_enum_t xed_decoded_inst_get_reg(const xed_decoded_inst_t *x, xed_operand_enum_t name)
{
    for (u32 k = 0; k < view(x)->n_operands; k++) {
        const struct xv_operand *o = &view(x)->op[k];
        if (o->name == name && o->kind == XV_REG)
            return o->reg == REG_INVALID_ ? movement(view(x)) : (xed_reg_enum_t)o->reg;
    }
    return XED_REG_INVALID;
}

/* ---- memory, immediate, branch; lea's address is memory operand 0 as well ---- */
static const struct xv_operand *memop(const xed_decoded_inst_t *x, xed_uint_t n)
{
    static const struct xv_operand none;
    if (n < view(x)->n_memory)
        return xv_memop(view(x), n);
    const struct xv_operand *agen = n ? NULL : xv_explicit_memory(view(x));
    return agen ? agen : &none;
}

static s64 value_of(const xed_decoded_inst_t *x, enum xv_kind kind)
{
    for (u32 k = 0; k < view(x)->n_operands; k++)
        if (view(x)->op[k].kind == kind)
            return view(x)->op[k].value;
    return 0;
}

xed_uint_t xed_decoded_inst_number_of_memory_operands(const xed_decoded_inst_t *x)
{
    return view(x)->n_memory ? view(x)->n_memory : xv_explicit_memory(view(x)) != NULL;
}

xed_bool_t xed_decoded_inst_mem_read(const xed_decoded_inst_t *x, xed_uint_t n) { return memop(x, n)->kind == XV_MEM && memop(x, n)->access & XV_READ; }
xed_bool_t xed_decoded_inst_mem_written(const xed_decoded_inst_t *x, xed_uint_t n)
{
    return memop(x, n)->kind == XV_MEM && memop(x, n)->access & XV_WRITE;
}
xed_reg_enum_t xed_decoded_inst_get_seg_reg(const xed_decoded_inst_t *x, xed_uint_t n) { return (xed_reg_enum_t)memop(x, n)->seg; }
xed_reg_enum_t xed_decoded_inst_get_base_reg(const xed_decoded_inst_t *x, xed_uint_t n) { return (xed_reg_enum_t)memop(x, n)->base; }
xed_reg_enum_t xed_decoded_inst_get_index_reg(const xed_decoded_inst_t *x, xed_uint_t n) { return (xed_reg_enum_t)memop(x, n)->index; }
xed_uint_t xed_decoded_inst_get_scale(const xed_decoded_inst_t *x, xed_uint_t n) { return memop(x, n)->scale; }
xed_int64_t xed_decoded_inst_get_memory_displacement(const xed_decoded_inst_t *x, xed_uint_t n) { return memop(x, n)->value; }
xed_uint_t xed_decoded_inst_get_memory_operand_length(const xed_decoded_inst_t *x, xed_uint_t n) { return memop(x, n)->width / 8u; }
xed_int32_t xed_decoded_inst_get_branch_displacement(const xed_decoded_inst_t *x) { return (xed_int32_t)value_of(x, XV_BRANCH); }
xed_uint64_t xed_decoded_inst_get_unsigned_immediate(const xed_decoded_inst_t *x) { return (xed_uint64_t)value_of(x, XV_IMM); }
xed_int32_t xed_decoded_inst_get_signed_immediate(const xed_decoded_inst_t *x) { return (xed_int32_t)value_of(x, XV_IMM); }

/* The view keeps an immediate's value; how it is encoded is asked again. */
static struct ZydisDecodedInstructionRawImm_ encoded_immediate(const xed_decoded_inst_t *x)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction i;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL, view(x)->bytes, view(x)->length, &i)) || i.raw.imm[0].is_relative)
        return (struct ZydisDecodedInstructionRawImm_){ .size = 0 };
    return i.raw.imm[0];
}

/* mov of a constant into a register (b8 to bf) has room for all its bits: XED calls that unsigned. */
xed_bool_t xed_decoded_inst_get_immediate_is_signed(const xed_decoded_inst_t *x)
{
    bool fills_register = view(x)->iclass == XED_ICLASS_MOV && view(x)->op[0].kind == XV_REG && view(x)->op[0].width == view(x)->op[1].width &&
                          encoded_immediate(x).size == view(x)->op[0].width;
    return encoded_immediate(x).is_signed && !fills_register;
}
xed_uint_t xed_decoded_inst_get_immediate_width(const xed_decoded_inst_t *x) { return encoded_immediate(x).size / 8u; }
