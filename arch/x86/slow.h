/* slow.h: between slow.c, which makes the calls whose arguments C works out, slow_args.c and executes.c. */
#ifndef X86_SLOW_H
#define X86_SLOW_H
#include "arch/x86/bridge.h"
#include "engine/thread.h"

struct evaluation {
    struct x86_frame *f;
    const struct slow_call *c;
    struct thread *t;
    struct arch_context *context;                 /* of the context argument, if there is one */
    bool is_changed;                              /* the image is to be loaded */
    u8 *image;                                    /* an xsave image, when a register of it is shown or changed */
    u8 (*buffer)[64];                             /* copies of vector registers, one per argument */
};

/* ---- slow_args.c ---- */
u64 x86_arg_value(struct evaluation *v, u32 k);
void x86_take_back(struct evaluation *v, u64 result);        /* the routine has returned: what it changed */
void x86_fill_context(struct evaluation *v, struct arch_context *c);     /* registers as a context, which knows where each one is */

/* ---- executes.c ---- */
bool x86_is_taken(const struct slow_call *c, const struct x86_frame *f);
bool x86_executes(const struct slow_call *c, const struct x86_frame *f);
u64 x86_rep_count(const struct x86_insn *x, const struct x86_frame *f);
bool x86_rep_goes_on(const struct x86_insn *x, const struct x86_frame *f);      /* behind an iteration: will there be another one? */
#endif
