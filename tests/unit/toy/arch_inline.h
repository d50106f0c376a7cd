static inline bool arch_ends_trace(const struct insn *in) { return in->a.op == 0xa0; }       /* OP_WAIT of toy.h */
static inline bool arch_is_repeated(const struct insn *in) { (void)in; return false; }
static inline bool arch_sets_odd_flags(const struct insn *in) { (void)in; return false; }
static inline addr_t arch_pc(const struct arch_regs *r) { return r->pc; }
static inline void arch_set_pc(struct arch_regs *r, addr_t pc) { r->pc = pc; }
static inline bool arch_is_stepping(const struct arch_regs *r) { (void)r; return false; }
static inline addr_t arch_indirect_target(const struct arch_thread *t) { return t->indirect_target; }
