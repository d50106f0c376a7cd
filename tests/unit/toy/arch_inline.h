static inline addr_t arch_pc(const struct arch_regs *r) { return r->pc; }
static inline void arch_set_pc(struct arch_regs *r, addr_t pc) { r->pc = pc; }
static inline bool arch_is_stepping(const struct arch_regs *r) { (void)r; return false; }
static inline addr_t arch_indirect_target(const struct arch_thread *t) { return t->indirect_target; }
