/* tracee.c: the registers that ptrace gives of a thread, made the application's. */
#include "arch/arch.h"
#include "arch_signal.h"
#include "engine/cache/cache.h"
#include "engine/thread.h"

static void load(struct arch_regs *to, const struct k_user_regs *r)
{
    *to = (struct arch_regs){ .gpr = { r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp, r->rsi, r->rdi, r->r8, r->r9, r->r10,
                                       r->r11, r->r12, r->r13, r->r14, r->r15 },
                              .flags = r->eflags, .pc = r->rip };
}

static void store(struct k_user_regs *r, const struct arch_regs *from)
{
    const u64 *g = from->gpr;
    r->rax = g[RAX], r->rcx = g[RCX], r->rdx = g[RDX], r->rbx = g[RBX], r->rsp = g[RSP], r->rbp = g[RBP];
    r->rsi = g[RSI], r->rdi = g[RDI], r->r8 = g[R8], r->r9 = g[R9], r->r10 = g[R10], r->r11 = g[R11];
    r->r12 = g[R12], r->r13 = g[R13], r->r14 = g[R14], r->r15 = g[R15];
    r->eflags = from->flags, r->rip = from->pc;
}

/* In a system call the CPU is behind the instruction, which has left pc and flags in two registers. */
static void enter_kernel(struct arch_regs *r, u32 insn_len)
{
    r->pc += insn_len;
    r->gpr[RCX] = r->pc;
    r->gpr[R11] = r->flags;
}

void arch_tracee_registers(struct thread *t, struct k_user_regs *r)
{
    extern u8 x86_syscall_hi[];
    enum { SYSCALL_LEN = 2 };
    struct arch_regs app = t->arch.regs;
    struct place at;
    if (cache_locate(r->rip, &at)) {
        load(&app, r);
        app.pc = at.pc;
        arch_unspill(&app, &t->arch, at.restore, at.parked, at.at_start);
    } else if (r->rip == (u64)x86_syscall_hi + SYSCALL_LEN) {
        enter_kernel(&app, t->insn_len);
    }
    store(r, &app);
    r->fs_base = r->gs_base;
    r->gs_base = t->arch.app_gs;
    r->fs = t->arch.fs_selector;
    r->gs = t->arch.gs_selector;
}
