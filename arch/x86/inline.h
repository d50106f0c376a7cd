/* inline.h: the body of a small analysis routine in the place of a call to it.
 *
 * A body is a line of instructions on general registers without a stack frame, with branches forward (body.c). It is gone through with the
 * constant arguments known: what they determine is worked out now, what remains is emitted with constants as immediates
 * and constant addresses relative to rip. So `counter += n` becomes one add. */
#ifndef X86_INLINE_H
#define X86_INLINE_H
#include "arch/x86/bridge.h"

enum { MAX_BODY = 32, ALWAYS = 16 };
struct body_insn {
    const u8 *at;
    u64 rip_operand;            /* where its operand is, if that is relative to rip */
    struct x86_insn x;
    struct x86_usage u;
    bool is_branch;
    u8 cc, to;                  /* of a branch: its condition or ALWAYS, the number of the instruction it leads to */
};
struct body {
    u32 n;                      /* without the return */
    u16 reads;                  /* registers that it expects a value in */
    bool has_branches;
    struct body_insn insn[MAX_BODY];
};

/* The body of the routine, or NULL when it cannot stand alone. */
const struct body *x86_body(const void *fn);
const char *x86_why_no_body(const void *fn);

/* What emitting it takes. */
struct body_result {
    u16 touched;                /* registers that the emitted code overwrites */
    u16 wanted;                 /* registers that must hold their argument first */
    bool clobbers_flags;
    bool is_condition;          /* the result is whether condition `cc` holds, and was not made a value */
    u8 cc;
};
/* known: arguments that are constants, by register. */
struct constants { u16 known; u64 value[16]; };
/* What is wanted of the result: nothing; its value in rax; to know whether it is zero, by value or by the flags. */
enum wanted_result { WANTS_NONE, WANTS_VALUE, WANTS_TRUTH };
void x86_emit_body(struct emit *e, const struct body *b, struct constants c, enum wanted_result want, struct body_result *out);

bool x86_can_inline(struct emit *e, const struct site *site, const struct call *c, u32 *keeps);   /* keeps: registers of the application that others could be in the place of */

/* rename.c: the same body with register map[r] in the place of r; good until the next. Not rsp, rbp, r12, r13 for another. */
bool x86_can_rename(const struct body *b);
const struct body *x86_rename(const struct body *b, const u8 *map);

/* fold.c: work out the instruction if its operands are known. False: it has to be emitted. */
bool x86_fold(const struct x86_insn *x, struct constants *c);

static inline u32 x86_reg_of(const struct x86_insn *x) { return (u32)(x->modrm >> 3 & 7) | (u32)(x->rex & 4) << 1; }
static inline u32 x86_rm_of(const struct x86_insn *x) { return (u32)(x->modrm & 7) | (u32)(x->rex & 1) << 3; }
static inline bool is_known(const struct constants *c, u32 r) { return c->known >> r & 1; }

/* A memory operand's registers, -1: none. */
struct x86_operand { int base, index; u32 scale; s64 disp; };
void x86_operand(const struct x86_insn *x, struct x86_operand *out);
#endif
