/* seen.h: xv_decode for instructions that are met again and again. */
#ifndef API_SEEN_H
#define API_SEEN_H
#include "api/xed.h"

/* As xv_decode, of an instruction of n bytes. Callbacks only: they are serialised by the cache lock. */
void seen_decode(struct xv_insn *out, const u8 *bytes, u32 n, addr_t address);
#endif
