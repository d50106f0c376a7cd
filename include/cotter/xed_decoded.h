/* xed_decoded.h: the decoded instruction by XED's own names: INS_XedDec and the accessors that tools use. The decoder below
 * is another one. The encoder: xed_encoded.h. */
#ifndef COTTER_XED_DECODED_H
#define COTTER_XED_DECODED_H
#include <stdint.h>
#include "xed_enum.h"
#include "xed_iform.h"
#include "xed_reglist.h"

/* The numbers are those of REG, as far as there is one. */
#define COTTER_XED_REG(name, text, bytes, class_) XED_REG_##name,
typedef enum {
    XED_REG_INVALID = 0,
    XED_REG_ERROR = 1,
    REG_LIST(COTTER_XED_REG)
    /* What XED names beside them: that an instruction moves the stack, or the register stack of the x87. No REG. */
    XED_REG_STACKPUSH, XED_REG_STACKPOP, XED_REG_X87PUSH, XED_REG_X87POP, XED_REG_X87POP2,
    XED_REG_LAST,
    XED_REG_CS = XED_REG_SEG_CS, XED_REG_SS = XED_REG_SEG_SS, XED_REG_DS = XED_REG_SEG_DS, XED_REG_ES = XED_REG_SEG_ES,
    XED_REG_FS = XED_REG_SEG_FS, XED_REG_GS = XED_REG_SEG_GS, XED_REG_FSBASE = XED_REG_SEG_FS_BASE,
    XED_REG_GSBASE = XED_REG_SEG_GS_BASE, XED_REG_MMX0 = XED_REG_MM0, XED_REG_MMX1 = XED_REG_MM1, XED_REG_MMX2 = XED_REG_MM2,
    XED_REG_MMX3 = XED_REG_MM3, XED_REG_MMX4 = XED_REG_MM4, XED_REG_MMX5 = XED_REG_MM5, XED_REG_MMX6 = XED_REG_MM6,
    XED_REG_MMX7 = XED_REG_MM7,
    XED_REG_GPR64_FIRST = XED_REG_RDI, XED_REG_GPR64_LAST = XED_REG_R15, XED_REG_GPR32_FIRST = XED_REG_EDI,
    XED_REG_GPR32_LAST = XED_REG_R15D, XED_REG_XMM_FIRST = XED_REG_XMM0, XED_REG_XMM_LAST = XED_REG_XMM31,
    XED_REG_YMM_FIRST = XED_REG_YMM0, XED_REG_YMM_LAST = XED_REG_YMM31, XED_REG_ZMM_FIRST = XED_REG_ZMM0,
    XED_REG_ZMM_LAST = XED_REG_ZMM31, XED_REG_MASK_FIRST = XED_REG_K0, XED_REG_MASK_LAST = XED_REG_K7,
    XED_REG_X87_FIRST = XED_REG_ST0, XED_REG_X87_LAST = XED_REG_ST7, XED_REG_MMX_FIRST = XED_REG_MM0, XED_REG_MMX_LAST = XED_REG_MM7,
    XED_REG_X87CONTROL = XED_REG_FPCW, XED_REG_X87STATUS = XED_REG_FPSW, XED_REG_X87TAG = XED_REG_FPTAG
} xed_reg_enum_t;
#undef COTTER_XED_REG

typedef uint8_t xed_uint8_t;
typedef uint16_t xed_uint16_t;
typedef uint32_t xed_uint32_t;
typedef uint64_t xed_uint64_t;
typedef int8_t xed_int8_t;
typedef int16_t xed_int16_t;
typedef int32_t xed_int32_t;
typedef int64_t xed_int64_t;
typedef unsigned int xed_uint_t;
typedef unsigned int xed_bool_t;
typedef unsigned int xed_bits_t;
#define XED_MAX_INSTRUCTION_BYTES 15
typedef struct xed_decoded_inst_s { uint64_t opaque[85]; } xed_decoded_inst_t;
typedef struct xed_inst_s xed_inst_t;
typedef struct xed_operand_s xed_operand_t;

typedef enum { XED_ERROR_NONE, XED_ERROR_BUFFER_TOO_SHORT, XED_ERROR_GENERAL_ERROR, XED_ERROR_LAST } xed_error_enum_t;
typedef enum { XED_SYNTAX_INVALID, XED_SYNTAX_XED, XED_SYNTAX_ATT, XED_SYNTAX_INTEL, XED_SYNTAX_LAST } xed_syntax_enum_t;
typedef enum {
    XED_MACHINE_MODE_INVALID, XED_MACHINE_MODE_LONG_64, XED_MACHINE_MODE_LONG_COMPAT_32, XED_MACHINE_MODE_LONG_COMPAT_16,
    XED_MACHINE_MODE_LEGACY_32, XED_MACHINE_MODE_LEGACY_16, XED_MACHINE_MODE_REAL_16, XED_MACHINE_MODE_LAST
} xed_machine_mode_enum_t;
typedef enum {
    XED_ADDRESS_WIDTH_INVALID = 0, XED_ADDRESS_WIDTH_16b = 2, XED_ADDRESS_WIDTH_32b = 4, XED_ADDRESS_WIDTH_64b = 8
} xed_address_width_enum_t;
typedef struct { xed_machine_mode_enum_t mmode; xed_address_width_enum_t stack_addr_width; } xed_state_t;
typedef enum {
    XED_ATTRIBUTE_INVALID, XED_ATTRIBUTE_LOCKED, XED_ATTRIBUTE_REP, XED_ATTRIBUTE_SIMD_SCALAR, XED_ATTRIBUTE_GATHER,
    XED_ATTRIBUTE_SCATTER, XED_ATTRIBUTE_PREFETCH, XED_ATTRIBUTE_MASKOP, XED_ATTRIBUTE_MASKOP_EVEX,
    XED_ATTRIBUTE_LAST
} xed_attribute_enum_t;
typedef enum { XED_OPVIS_INVALID, XED_OPVIS_EXPLICIT, XED_OPVIS_IMPLICIT, XED_OPVIS_SUPPRESSED } xed_operand_visibility_enum_t;

/* ---- Names ---- */
const char *xed_iclass_enum_t2str(xed_iclass_enum_t n);
const char *xed_category_enum_t2str(xed_category_enum_t n);
const char *xed_extension_enum_t2str(xed_extension_enum_t n);
const char *xed_reg_enum_t2str(xed_reg_enum_t n);
const char *xed_operand_enum_t2str(xed_operand_enum_t n);
const char *xed_error_enum_t2str(xed_error_enum_t n);
const char *xed_syntax_enum_t2str(xed_syntax_enum_t n);
const char *xed_attribute_enum_t2str(xed_attribute_enum_t n);
const char *xed_operand_visibility_enum_t2str(xed_operand_visibility_enum_t n);

/* ---- Decoding: 64-bit code only ---- */
void xed_tables_init(void);
void xed_state_zero(xed_state_t *state);
void xed_state_init2(xed_state_t *state, xed_machine_mode_enum_t mode, xed_address_width_enum_t stack);
void xed_state_init(xed_state_t *state, xed_machine_mode_enum_t mode, xed_address_width_enum_t ignored, xed_address_width_enum_t stack);
void xed_decoded_inst_zero(xed_decoded_inst_t *x);
void xed_decoded_inst_zero_set_mode(xed_decoded_inst_t *x, const xed_state_t *state);
void xed_decoded_inst_zero_keep_mode(xed_decoded_inst_t *x);
void xed_decoded_inst_set_mode(xed_decoded_inst_t *x, xed_machine_mode_enum_t mode, xed_address_width_enum_t stack);
xed_error_enum_t xed_decode(xed_decoded_inst_t *x, const xed_uint8_t *bytes, unsigned int n);
xed_bool_t xed_decoded_inst_valid(const xed_decoded_inst_t *x);

/* ---- The instruction ---- */
xed_iclass_enum_t xed_decoded_inst_get_iclass(const xed_decoded_inst_t *x);
xed_category_enum_t xed_decoded_inst_get_category(const xed_decoded_inst_t *x);
xed_extension_enum_t xed_decoded_inst_get_extension(const xed_decoded_inst_t *x);
xed_uint_t xed_decoded_inst_get_length(const xed_decoded_inst_t *x);
xed_uint_t xed_decoded_inst_get_byte(const xed_decoded_inst_t *x, xed_uint_t i);
xed_uint32_t xed_decoded_inst_get_attribute(const xed_decoded_inst_t *x, xed_attribute_enum_t a);
xed_uint_t xed_decoded_inst_get_machine_mode_bits(const xed_decoded_inst_t *x);
xed_uint32_t xed_decoded_inst_get_operand_width(const xed_decoded_inst_t *x);          /* bits of the first operand */
xed_bool_t xed_decoded_inst_uses_embedded_broadcast(const xed_decoded_inst_t *x);
xed_bool_t xed_classify_sse(const xed_decoded_inst_t *x);
xed_bool_t xed_classify_avx(const xed_decoded_inst_t *x);
xed_bool_t xed_classify_avx512(const xed_decoded_inst_t *x);
/* Text: Intel syntax, or all operands (XED_SYNTAX_XED); address: of the instruction. FALSE: it does not fit. */
xed_bool_t xed_format_context(xed_syntax_enum_t syntax, const xed_decoded_inst_t *x, char *text, int size, xed_uint64_t address,
                              void *context, void *symbols);
void xed_decoded_inst_dump(const xed_decoded_inst_t *x, char *text, int size);

/* ---- Operands ---- */
const xed_inst_t *xed_decoded_inst_inst(const xed_decoded_inst_t *x);
xed_uint_t xed_decoded_inst_noperands(const xed_decoded_inst_t *x);
xed_uint_t xed_inst_noperands(const xed_inst_t *i);
const xed_operand_t *xed_inst_operand(const xed_inst_t *i, xed_uint_t n);
xed_iclass_enum_t xed_inst_iclass(const xed_inst_t *i);
xed_category_enum_t xed_inst_category(const xed_inst_t *i);
xed_extension_enum_t xed_inst_extension(const xed_inst_t *i);
xed_uint32_t xed_inst_get_attribute(const xed_inst_t *i, xed_attribute_enum_t a);
xed_operand_enum_t xed_operand_name(const xed_operand_t *o);
xed_operand_visibility_enum_t xed_operand_operand_visibility(const xed_operand_t *o);
xed_uint_t xed_operand_read(const xed_operand_t *o);
xed_uint_t xed_operand_written(const xed_operand_t *o);
xed_uint_t xed_operand_is_register(xed_operand_enum_t name);
xed_uint_t xed_operand_is_memory_addressing_register(xed_operand_enum_t name);
xed_reg_enum_t xed_decoded_inst_get_reg(const xed_decoded_inst_t *x, xed_operand_enum_t name);
xed_uint_t xed_decoded_inst_operand_length_bits(const xed_decoded_inst_t *x, xed_uint_t n);
xed_uint_t xed_decoded_inst_operand_length(const xed_decoded_inst_t *x, xed_uint_t n);
xed_uint_t xed_decoded_inst_operand_elements(const xed_decoded_inst_t *x, xed_uint_t n);
xed_uint_t xed_decoded_inst_operand_element_size_bits(const xed_decoded_inst_t *x, xed_uint_t n);

/* ---- Memory, immediate and branch: n counts memory operands ---- */
xed_uint_t xed_decoded_inst_number_of_memory_operands(const xed_decoded_inst_t *x);
xed_bool_t xed_decoded_inst_mem_read(const xed_decoded_inst_t *x, xed_uint_t n);
xed_bool_t xed_decoded_inst_mem_written(const xed_decoded_inst_t *x, xed_uint_t n);
xed_reg_enum_t xed_decoded_inst_get_seg_reg(const xed_decoded_inst_t *x, xed_uint_t n);
xed_reg_enum_t xed_decoded_inst_get_base_reg(const xed_decoded_inst_t *x, xed_uint_t n);
xed_reg_enum_t xed_decoded_inst_get_index_reg(const xed_decoded_inst_t *x, xed_uint_t n);
xed_uint_t xed_decoded_inst_get_scale(const xed_decoded_inst_t *x, xed_uint_t n);
xed_int64_t xed_decoded_inst_get_memory_displacement(const xed_decoded_inst_t *x, xed_uint_t n);
xed_uint_t xed_decoded_inst_get_memory_operand_length(const xed_decoded_inst_t *x, xed_uint_t n);
xed_int32_t xed_decoded_inst_get_branch_displacement(const xed_decoded_inst_t *x);
xed_uint64_t xed_decoded_inst_get_unsigned_immediate(const xed_decoded_inst_t *x);
xed_int32_t xed_decoded_inst_get_signed_immediate(const xed_decoded_inst_t *x);
xed_bool_t xed_decoded_inst_get_immediate_is_signed(const xed_decoded_inst_t *x);     /* is it extended with its sign? */
xed_uint_t xed_decoded_inst_get_immediate_width(const xed_decoded_inst_t *x);         /* bytes in the encoding */

/* ---- More of the instruction ---- */
typedef xed_decoded_inst_t xed_operand_values_t;
typedef enum { XED_CHIP_INVALID } xed_chip_enum_t;
const xed_operand_values_t *xed_decoded_inst_operands_const(const xed_decoded_inst_t *x);
xed_operand_values_t *xed_decoded_inst_operands(xed_decoded_inst_t *x);
xed_uint_t xed_operand_values_get_effective_operand_width(const xed_operand_values_t *x);      /* bits: 16, 32, 64 */
xed_uint_t xed_operand_values_get_effective_address_width(const xed_operand_values_t *x);
xed_uint_t xed_operand_values_get_stack_address_width(const xed_operand_values_t *x);
xed_uint64_t xed_operand_values_get_immediate_uint64(const xed_operand_values_t *x);
xed_bool_t xed_operand_values_get_atomic(const xed_operand_values_t *x);                       /* locked, or xchg with memory */
xed_bool_t xed_operand_values_has_real_rep(const xed_operand_values_t *x);
xed_bool_t xed_operand_values_has_lock_prefix(const xed_operand_values_t *x);
xed_bool_t xed_operand_values_has_rep_prefix(const xed_operand_values_t *x);
xed_bool_t xed_operand_values_has_repne_prefix(const xed_operand_values_t *x);
xed_bool_t xed_operand_values_has_operand_size_prefix(const xed_operand_values_t *x);
xed_bool_t xed_operand_values_has_address_size_prefix(const xed_operand_values_t *x);
xed_bool_t xed_operand_values_has_segment_prefix(const xed_operand_values_t *x);
void xed_decoded_inst_set_input_chip(xed_decoded_inst_t *x, xed_chip_enum_t chip);             /* all instructions are decoded */
xed_bool_t xed_decoded_inst_is_prefetch(const xed_decoded_inst_t *x);
xed_uint_t xed_decoded_inst_vector_length_bits(const xed_decoded_inst_t *x);                   /* 0 unless VEX or EVEX */
xed_uint_t xed_decoded_inst_get_branch_displacement_width(const xed_decoded_inst_t *x);        /* bytes; 0: no branch */
xed_uint_t xed_decoded_inst_get_branch_displacement_width_bits(const xed_decoded_inst_t *x);
xed_uint_t xed_decoded_inst_get_memory_displacement_width(const xed_decoded_inst_t *x, xed_uint_t n);    /* bytes in the encoding */
xed_uint_t xed_decoded_inst_get_memory_displacement_width_bits(const xed_decoded_inst_t *x, xed_uint_t n);
xed_uint_t xed_decoded_inst_get_immediate_width_bits(const xed_decoded_inst_t *x);
xed_uint_t xed_decoded_inst_get_memop_address_width(const xed_decoded_inst_t *x, xed_uint_t n);          /* bits */
xed_uint_t xed_operand_read_only(const xed_operand_t *o);
xed_uint_t xed_operand_written_only(const xed_operand_t *o);
xed_uint_t xed_operand_read_and_written(const xed_operand_t *o);
xed_uint_t xed_operand_conditional_read(const xed_operand_t *o);
xed_uint_t xed_operand_conditional_write(const xed_operand_t *o);

/* What the elements of an operand are. */
typedef enum {
    XED_OPERAND_ELEMENT_TYPE_INVALID, XED_OPERAND_ELEMENT_TYPE_UINT, XED_OPERAND_ELEMENT_TYPE_INT, XED_OPERAND_ELEMENT_TYPE_SINGLE,
    XED_OPERAND_ELEMENT_TYPE_DOUBLE, XED_OPERAND_ELEMENT_TYPE_LONGDOUBLE, XED_OPERAND_ELEMENT_TYPE_LONGBCD,
    XED_OPERAND_ELEMENT_TYPE_STRUCT, XED_OPERAND_ELEMENT_TYPE_VARIABLE, XED_OPERAND_ELEMENT_TYPE_FLOAT16,
    XED_OPERAND_ELEMENT_TYPE_BFLOAT16, XED_OPERAND_ELEMENT_TYPE_LAST
} xed_operand_element_type_enum_t;
xed_operand_element_type_enum_t xed_decoded_inst_operand_element_type(const xed_decoded_inst_t *x, xed_uint_t n);
const char *xed_operand_element_type_enum_t2str(xed_operand_element_type_enum_t t);

/* Flags; the bits are those of rflags. */
typedef union {
    xed_uint32_t flat;
    struct {
        xed_uint32_t cf : 1, must_be_1 : 1, pf : 1, must_be_0a : 1, af : 1, must_be_0b : 1, zf : 1, sf : 1, tf : 1, _if : 1, df : 1,
            of : 1, iopl : 2, nt : 1, must_be_0c : 1, rf : 1, vm : 1, ac : 1, vif : 1, vip : 1, id : 1, rest : 10;
    } s;
} xed_flag_set_t;
typedef struct { xed_flag_set_t read, written; } xed_simple_flag_t;
xed_bool_t xed_decoded_inst_uses_rflags(const xed_decoded_inst_t *x);
const xed_simple_flag_t *xed_decoded_inst_get_rflags_info(const xed_decoded_inst_t *x);        /* until the thread's next call */
const xed_flag_set_t *xed_simple_flag_get_read_flag_set(const xed_simple_flag_t *f);
const xed_flag_set_t *xed_simple_flag_get_written_flag_set(const xed_simple_flag_t *f);
xed_bool_t xed_simple_flag_reads_flags(const xed_simple_flag_t *f);
xed_bool_t xed_simple_flag_writes_flags(const xed_simple_flag_t *f);

/* ---- Forms: the class with its operands: XED_IFORM_ADD_GPRv_MEMv. XED_IFORM_INVALID: an instruction that is not valid ---- */
#define COTTER_XED_NONE(name)
#define COTTER_XED_IFORM(name) XED_IFORM_##name,
typedef enum { XED_IFORM_INVALID, XED_IFORM_LIST(COTTER_XED_NONE, COTTER_XED_IFORM) XED_IFORM_LAST } xed_iform_enum_t;
#undef COTTER_XED_IFORM
#undef COTTER_XED_NONE
const char *xed_iform_enum_t2str(xed_iform_enum_t form);                                        /* "JMP_RELBRb"; "INVALID" */
xed_iform_enum_t xed_decoded_inst_get_iform_enum(const xed_decoded_inst_t *x);
xed_iform_enum_t xed_inst_iform_enum(const xed_inst_t *i);
xed_iform_enum_t str2xed_iform_enum_t(const char *name);                                        /* XED_IFORM_INVALID: no such form */
xed_iform_enum_t xed_iform_enum_t_last(void);
unsigned int xed_decoded_inst_get_iform_enum_dispatch(const xed_decoded_inst_t *x);             /* its number among those of its class */
/* The forms of a class stand together: the first one, and how many there are. */
xed_uint32_t xed_iform_first_per_iclass(xed_iclass_enum_t iclass);
xed_uint32_t xed_iform_max_per_iclass(xed_iclass_enum_t iclass);
xed_iclass_enum_t xed_iform_to_iclass(xed_iform_enum_t form);
const char *xed_iform_to_iclass_string_intel(xed_iform_enum_t form);                            /* the mnemonic as it is printed */

/* ---- Registers ---- */
typedef enum {
    XED_REG_CLASS_INVALID, XED_REG_CLASS_BNDCFG, XED_REG_CLASS_BNDSTAT, XED_REG_CLASS_BOUND, XED_REG_CLASS_CR, XED_REG_CLASS_DR,
    XED_REG_CLASS_FLAGS, XED_REG_CLASS_GPR, XED_REG_CLASS_GPR16, XED_REG_CLASS_GPR32, XED_REG_CLASS_GPR64, XED_REG_CLASS_GPR8,
    XED_REG_CLASS_IP, XED_REG_CLASS_MASK, XED_REG_CLASS_MMX, XED_REG_CLASS_MSR, XED_REG_CLASS_MXCSR, XED_REG_CLASS_PSEUDO,
    XED_REG_CLASS_PSEUDOX87, XED_REG_CLASS_SR, XED_REG_CLASS_TMP, XED_REG_CLASS_TREG, XED_REG_CLASS_UIF, XED_REG_CLASS_X87,
    XED_REG_CLASS_XCR, XED_REG_CLASS_XMM, XED_REG_CLASS_YMM, XED_REG_CLASS_ZMM, XED_REG_CLASS_LAST
} xed_reg_class_enum_t;
xed_reg_class_enum_t xed_reg_class(xed_reg_enum_t reg);
xed_reg_class_enum_t xed_gpr_reg_class(xed_reg_enum_t reg);                                    /* GPR8 to GPR64; else INVALID */
xed_reg_enum_t xed_get_largest_enclosing_register(xed_reg_enum_t reg);                         /* al: rax; xmm3: zmm3 */
xed_uint32_t xed_get_register_width_bits(xed_reg_enum_t reg);
xed_uint32_t xed_get_register_width_bits64(xed_reg_enum_t reg);

/* ---- Single operands by their names ---- */
static inline xed_reg_enum_t xed3_operand_get_base0(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_base_reg(x, 0); }
static inline xed_reg_enum_t xed3_operand_get_base1(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_base_reg(x, 1); }
static inline xed_reg_enum_t xed3_operand_get_index(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_index_reg(x, 0); }
static inline xed_reg_enum_t xed3_operand_get_seg0(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_seg_reg(x, 0); }
static inline xed_reg_enum_t xed3_operand_get_seg1(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_seg_reg(x, 1); }
static inline xed_reg_enum_t xed3_operand_get_reg0(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_reg(x, XED_OPERAND_REG0); }
static inline xed_reg_enum_t xed3_operand_get_reg1(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_reg(x, XED_OPERAND_REG1); }
static inline xed_reg_enum_t xed3_operand_get_reg2(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_reg(x, XED_OPERAND_REG2); }
static inline xed_reg_enum_t xed3_operand_get_reg3(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_reg(x, XED_OPERAND_REG3); }
static inline xed_uint64_t xed3_operand_get_imm0(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_unsigned_immediate(x); }
static inline xed_bits_t xed3_operand_get_imm0signed(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_immediate_is_signed(x); }
static inline xed_bits_t xed3_operand_get_imm_width(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_immediate_width_bits(x); }
static inline xed_bits_t xed3_operand_get_brdisp_width(const xed_decoded_inst_t *x)
{
    return xed_decoded_inst_get_branch_displacement_width_bits(x);
}
static inline xed_bits_t xed3_operand_get_mem_width(const xed_decoded_inst_t *x) { return xed_decoded_inst_get_memory_operand_length(x, 0); }
static inline xed_bits_t xed3_operand_get_lock(const xed_decoded_inst_t *x)
{
    return xed_operand_values_has_lock_prefix(xed_decoded_inst_operands_const(x));
}

/* ---- Strings. The bounded ones take the room that is left, and say what is left behind them ---- */
static inline xed_uint_t xed_strlen(const char *s) { return (xed_uint_t)__builtin_strlen(s); }
static inline void xed_strcpy(char *to, const char *from) { __builtin_memcpy(to, from, __builtin_strlen(from) + 1); }
static inline void xed_strcat(char *to, const char *from) { xed_strcpy(to + __builtin_strlen(to), from); }
static inline int xed_strncpy(char *to, const char *from, int room)
{
    int n = 0;
    for (; n < room && from[n]; n++)
        to[n] = from[n];
    if (n < room)
        to[n] = 0;
    return room > 0 ? room - n : 0;
}
static inline int xed_strncat(char *to, const char *from, int room) { return xed_strncpy(to + __builtin_strlen(to), from, room); }

/* ---- Printing at length ---- */
typedef struct {
    const xed_decoded_inst_t *p;
    char *buf;
    int blen;
    xed_uint64_t runtime_address;
    void *disassembly_callback;
    void *context;
    xed_syntax_enum_t syntax;
    int format_options_valid;
} xed_print_info_t;
void xed_init_print_info(xed_print_info_t *info);
xed_bool_t xed_format_generic(xed_print_info_t *info);
#endif
