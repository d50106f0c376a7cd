/* context.h: shared by the files that make contexts. */
#ifndef X86_CONTEXT_H
#define X86_CONTEXT_H
#include "arch/arch.h"

extern u32 x86_vector_size;                        /* bytes of a vector register of this CPU */
extern u32 x86_bridge_mask;                       /* parts of the vector state that C code may change */
void x86_facts_init(void);                            /* init.c: of this CPU */
void x86_fresh_process(void);
u64 x86_app_fs(void);                             /* prctl.c */
void x86_bridge_init(void);
void x86_xsave(u8 *area);
void x86_xrstor(const u8 *area);
void x86_fresh_vectors(void);
void x86_context_bases(struct arch_context *c, struct thread *t);
#endif
