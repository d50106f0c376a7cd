extern bool x86_watches_flags;                  /* see odd.c */
bool x86_sets_odd_flags(const struct insn *in);
/* Nearly all instructions are told by one look: no x87, MMX or std. */
static inline bool x86_may_be_odd(const struct x86_insn *x) { return x->map != X86_MAP_1 || (u8)(x->opcode - 0xd8) < 8 || x->opcode == 0xfd; }
static inline bool arch_sets_odd_flags(const struct insn *in) { return x86_watches_flags && x86_may_be_odd(&in->a.x) && x86_sets_odd_flags(in); }
/* popf may set the trap flag: the dispatcher goes on from there (step.c). */
static inline bool x86_is_cpuid(const struct x86_insn *x) { return x->opcode == 0xa2 && x->enc == X86_ENC_LEGACY && x->map == X86_MAP_0F; }
static inline bool x86_is_popf(const struct x86_insn *x)
{
    return x->opcode == 0x9d && x->kind == X86_PLAIN && x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1;
}
static inline bool arch_is_repeated(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    return x->rep && in->kind == INSN_PLAIN && x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 &&
           ((x->opcode >= 0xa4 && x->opcode <= 0xa7) || (x->opcode >= 0xaa && x->opcode <= 0xaf));
}
static inline bool arch_ends_trace(const struct insn *in) { return in->kind == INSN_PLAIN && x86_is_popf(&in->a.x); }
static inline addr_t arch_pc(const struct arch_regs *r) { return r->pc; }
static inline bool arch_is_stepping(const struct arch_regs *r) { return r->flags & 0x100; }
static inline void arch_set_pc(struct arch_regs *r, addr_t pc) { r->pc = pc; }
static inline addr_t arch_indirect_target(const struct arch_thread *t) { return t->indirect_target; }
