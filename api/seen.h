/* seen.h: xv_decode for instructions that are met again and again. */
#ifndef API_SEEN_H
#define API_SEEN_H
#include "api/api.h"

/* As xv_decode, of an instruction of n bytes. Callbacks only: they are serialised by the cache lock. */
void seen_decode(struct xv_insn *out, const u8 *bytes, u32 n, addr_t address);
/* What INS_Opcode, INS_Category and INS_Extension tell; the same rule. Valid until the next call. */
struct seen_class { u32 opcode; u16 category, extension; };
const struct seen_class *seen_class(const struct insn *in);
struct seen_class code_class(INS ins);
#endif
