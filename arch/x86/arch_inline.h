static inline addr_t arch_pc(const struct arch_regs *r) { return r->pc; }
static inline bool arch_is_stepping(const struct arch_regs *r) { return r->flags & 0x100; }
static inline void arch_set_pc(struct arch_regs *r, addr_t pc) { r->pc = pc; }
static inline addr_t arch_indirect_target(const struct arch_thread *t) { return t->indirect_target; }
