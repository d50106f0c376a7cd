/* xed_operand.h: building the operand list, shared by xed_operand.c and xed_irregular.c. */
#ifndef API_XED_OPERAND_H
#define API_XED_OPERAND_H
#include "api/xed_int.h"

struct xv_operand xv_convert(const ZydisDecodedOperand *z);
struct xv_operand xv_suppressed(REG reg, u8 access);          /* a suppressed register operand */
void xv_push(struct xv_insn *x, struct xv_operand o);
void xv_push_visible(struct xv_insn *x, const struct xv_decoded *d);
bool xv_list_irregular(struct xv_insn *x, const struct xv_decoded *d);   /* false: not one of these */
void xv_list_x87(struct xv_insn *x, const struct xv_decoded *d);
#endif
