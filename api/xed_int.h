/* xed_int.h: shared by the xed_*.c files, which take a decoded instruction apart in this order: class (xed_class.c),
 * operands (xed_operand.c), registers and claims (xed_claim.c). */
#ifndef API_XED_INT_H
#define API_XED_INT_H
#include <string.h>
#include <Zydis/Zydis.h>
#include "api/xed.h"

/* What Zydis said. */
struct xv_decoded {
    ZydisDecodedInstruction i;
    ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
};

/* Zydis's answer alone; false: no instruction that the view knows. */
bool xv_decode_raw(struct xv_decoded *d, const u8 *bytes, u32 avail);
void xv_set_class(struct xv_insn *x, const struct xv_decoded *d);
void xv_set_operands(struct xv_insn *x, const struct xv_decoded *d);
void xv_set_registers(struct xv_insn *x, const struct xv_decoded *d);
void xv_set_claims(struct xv_insn *x, const struct xv_decoded *d);
REG xv_reg_from_zydis(ZydisRegister r);
/* The mnemonic whose instructions may have this class; ZYDIS_MNEMONIC_INVALID for one that a prefix makes (REP_MOVSB, ADD_LOCK). */
ZydisMnemonic xv_mnemonic(u32 iclass);

/* Set of one-bit claims under construction. */
#define XV_BIT(claim) (1ull << XV_IS_##claim)
static inline u64 xv_if(bool condition, u64 bits) { return condition ? bits : 0; }
#endif
