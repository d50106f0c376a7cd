/* iarg.h: what the parser of argument lists is made of. */
#ifndef API_IARG_H
#define API_IARG_H
#include "api/api.h"

/* Words come from a variadic call, or from an IARGLIST. */
struct list_reader { va_list ap; struct COTTER_IARGLIST *list; u32 at; };
u64 list_word(struct COTTER_IARGLIST *l, u32 at);

static inline u64 read_u64(struct list_reader *r) { return r->list ? list_word(r->list, r->at++) : va_arg(r->ap, u64); }
static inline u32 read_u32(struct list_reader *r) { return r->list ? (u32)list_word(r->list, r->at++) : va_arg(r->ap, u32); }

/* address.c: an operand as something to add up. */
void address_of(const struct xv_insn *x, const struct xv_operand *o, struct arch_address *out);

/* The value of an ARG_HOOK is the address of one of these; it belongs to the trace. */
struct hook {
    u64 (*work_out)(const struct hook *h, struct arch_context *c);
    struct xv_insn x;
    u32 memop;                                  /* or operand */
    bool is_write;
};
u64 hook_make(INS ins, u32 memop, u64 (*work_out)(const struct hook *h, struct arch_context *c));
void hook_fill_scattered(PIN_MULTI_MEM_ACCESS_INFO *out, struct arch_context *c, const struct xv_insn *x, const struct xv_operand *o);

/* multi.c: arguments that C code works out when the call is made; the value names what is wanted. */
u64 hook_multi_access(INS ins);
u64 hook_masked_on(INS ins, UINT32 memop);
u64 hook_elements(INS ins, UINT32 operand);
u64 hook_scattered(INS ins, UINT32 memop);
u64 hook_translated(INS ins, UINT32 memop, bool is_write);
bool has_translation(void);                     /* of addresses, by the tool */
u64 hook_value(u64 what, struct arch_context *c);

/* replace.c */
bool proto_returns_float(PROTO p);

/* reg.c */
u64 regset_out_bits(const REGSET *set);
bool regset_has_all_vectors(const REGSET *set);
bool regset_is_only(const REGSET *set, REG reg);
#endif
