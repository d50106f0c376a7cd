/* xed_encoded.h: making instructions, by XED's own names: say what is wanted, convert it to a request, encode. Or take a decoded
 * instruction, change it (where it branches to, its address, its registers, its class) and encode it again:
 *
 *     xed_encoder_request_init_from_decode(&x);
 *     xed_encoder_request_set_branch_displacement(&x, 0x1000, 4);
 *     xed_encode(&x, bytes, sizeof bytes, &length);
 *
 * An instruction that was not changed is encoded as it was. Of several encodings that mean the same the shortest is taken, where
 * XED may take another; the lengths asked for are kept for branches only. */
#ifndef COTTER_XED_ENCODED_H
#define COTTER_XED_ENCODED_H
#include "xed_decoded.h"

/* ---- Operands ---- */
typedef struct { xed_int64_t displacement; xed_uint32_t displacement_bits; } xed_enc_displacement_t;
typedef struct { xed_reg_enum_t seg, base, index; xed_uint32_t scale; xed_enc_displacement_t disp; } xed_memop_t;
typedef enum {
    XED_ENCODER_OPERAND_TYPE_INVALID, XED_ENCODER_OPERAND_TYPE_BRDISP, XED_ENCODER_OPERAND_TYPE_REG,
    XED_ENCODER_OPERAND_TYPE_IMM0, XED_ENCODER_OPERAND_TYPE_SIMM0, XED_ENCODER_OPERAND_TYPE_IMM1, XED_ENCODER_OPERAND_TYPE_MEM
} xed_encoder_operand_type_t;
typedef struct {
    xed_encoder_operand_type_t type;
    union { xed_reg_enum_t reg; xed_int32_t brdisp; xed_uint64_t imm0; xed_uint8_t imm1; xed_memop_t mem; } u;
    xed_uint32_t width_bits;
} xed_encoder_operand_t;

xed_enc_displacement_t xed_disp(xed_int64_t displacement, xed_uint_t bits);
xed_encoder_operand_t xed_relbr(xed_int32_t displacement, xed_uint_t bits);
xed_encoder_operand_t xed_reg(xed_reg_enum_t reg);
xed_encoder_operand_t xed_imm0(xed_uint64_t value, xed_uint_t bits);
xed_encoder_operand_t xed_simm0(xed_int32_t value, xed_uint_t bits);
xed_encoder_operand_t xed_imm1(xed_uint8_t value);
/* Memory: b base, i index, s scale, d displacement, g segment; bits: of what is accessed. */
xed_encoder_operand_t xed_mem_b(xed_reg_enum_t base, xed_uint_t bits);
xed_encoder_operand_t xed_mem_bd(xed_reg_enum_t base, xed_enc_displacement_t disp, xed_uint_t bits);
xed_encoder_operand_t xed_mem_bisd(xed_reg_enum_t base, xed_reg_enum_t index, xed_uint_t scale, xed_enc_displacement_t disp, xed_uint_t bits);
xed_encoder_operand_t xed_mem_gb(xed_reg_enum_t seg, xed_reg_enum_t base, xed_uint_t bits);
xed_encoder_operand_t xed_mem_gd(xed_reg_enum_t seg, xed_enc_displacement_t disp, xed_uint_t bits);
xed_encoder_operand_t xed_mem_gbd(xed_reg_enum_t seg, xed_reg_enum_t base, xed_enc_displacement_t disp, xed_uint_t bits);
xed_encoder_operand_t xed_mem_gbisd(xed_reg_enum_t seg, xed_reg_enum_t base, xed_reg_enum_t index, xed_uint_t scale,
                                    xed_enc_displacement_t disp, xed_uint_t bits);

/* ---- Instructions; width: the effective operand width in bits ---- */
#define XED_ENCODER_OPERANDS_MAX 5
typedef struct {
    xed_state_t mode;
    xed_iclass_enum_t iclass;
    xed_uint32_t effective_operand_width;
    xed_uint32_t noperands;
    xed_encoder_operand_t operands[XED_ENCODER_OPERANDS_MAX];
} xed_encoder_instruction_t;
typedef xed_decoded_inst_t xed_encoder_request_t;

void xed_inst(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_uint_t n,
              const xed_encoder_operand_t *operands);
void xed_inst0(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width);
void xed_inst1(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a);
void xed_inst2(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a,
               xed_encoder_operand_t b);
void xed_inst3(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a,
               xed_encoder_operand_t b, xed_encoder_operand_t c);
void xed_inst4(xed_encoder_instruction_t *inst, xed_state_t mode, xed_iclass_enum_t iclass, xed_uint_t width, xed_encoder_operand_t a,
               xed_encoder_operand_t b, xed_encoder_operand_t c, xed_encoder_operand_t d);

/* ---- Requests ---- */
void xed_encoder_request_zero(xed_encoder_request_t *r);
void xed_encoder_request_zero_set_mode(xed_encoder_request_t *r, const xed_state_t *mode);
xed_bool_t xed_convert_to_encoder_request(xed_encoder_request_t *r, xed_encoder_instruction_t *inst);
void xed_encoder_request_init_from_decode(xed_decoded_inst_t *x);
xed_iclass_enum_t xed_encoder_request_get_iclass(const xed_encoder_request_t *r);
void xed_encoder_request_set_iclass(xed_encoder_request_t *r, xed_iclass_enum_t iclass);
void xed_encoder_request_set_branch_displacement(xed_encoder_request_t *r, xed_int32_t displacement, xed_uint_t bytes);
void xed_encoder_request_set_memory_displacement(xed_encoder_request_t *r, xed_int64_t displacement, xed_uint_t bytes);
void xed_encoder_request_set_base0(xed_encoder_request_t *r, xed_reg_enum_t reg);
void xed_encoder_request_set_index(xed_encoder_request_t *r, xed_reg_enum_t reg);
void xed_encoder_request_set_scale(xed_encoder_request_t *r, xed_uint_t scale);
void xed_encoder_request_set_seg0(xed_encoder_request_t *r, xed_reg_enum_t reg);
void xed_encoder_request_set_reg(xed_encoder_request_t *r, xed_operand_enum_t name, xed_reg_enum_t reg);
void xed_encoder_request_set_uimm0(xed_encoder_request_t *r, xed_uint64_t value, xed_uint_t bytes);
void xed_encoder_request_set_simm(xed_encoder_request_t *r, xed_int32_t value, xed_uint_t bytes);
/* XED_ERROR_BUFFER_TOO_SHORT: it does not fit; XED_ERROR_GENERAL_ERROR: there is no such instruction. */
xed_error_enum_t xed_encode(xed_encoder_request_t *r, xed_uint8_t *bytes, unsigned int room, unsigned int *length);
xed_error_enum_t xed_encode_nop(xed_uint8_t *bytes, unsigned int length);      /* one that is `length` bytes long, 1 to 9 */
#endif
