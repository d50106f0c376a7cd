/* sigframe.c: signal frames as the kernel makes and takes them, and the kernel's context of the master handler.
 *
 * Layout on the application's stack, from the top: red zone (128), xsave area with its end mark (64-byte aligned), then
 * return address, ucontext, siginfo. */
#include "arch/x86/emit.h"
#include "arch/x86/returns.h"
#include "arch/x86/strings.h"
#include "arch/x86/x87.h"
#include "arch/x86/xstate.h"
#include "base/heap.h"
#include "base/sys.h"
#include "engine/emulate/smc.h"
#include "engine/thread.h"

struct frame {
    u64 restorer;
    struct k_ucontext uc;
    struct k_siginfo info;
};

enum { MAGIC1 = 0x46505853, MAGIC2 = 0x46505845, SW_OFFSET = 464 };
enum { UC_FP_XSTATE = 1, UC_SIGCONTEXT_SS = 2, UC_STRICT_RESTORE_SS = 4 };
enum { FLAG_TF = 0x100, FLAG_DF = 0x400, FLAG_RF = 0x10000 };
#define USER_FLAGS 0x50dd5ul                     /* what sigreturn may change: CF PF AF ZF SF TF DF OF RF AC */

struct sw_bytes { u32 magic1, extended_size; u64 xfeatures; u32 xstate_size, pad[7]; };

static size_t scratch_size(void) { return ROUND_UP(arch_xsave_size(), PAGE_SIZE); }

static u8 *scratch_area(struct thread *t)
{
    if (!t->arch.xsave)
        t->arch.xsave = heap_pages(scratch_size());
    return t->arch.xsave;
}

void arch_thread_release(struct arch_thread *t)
{
    if (t->xsave)
        heap_free_pages(t->xsave, scratch_size());
    t->xsave = NULL;
}

static void fill_context(struct k_sigcontext *mc, const struct arch_regs *r, const struct arch_fault *f)
{
    const u64 *g = r->gpr;
    *mc = (struct k_sigcontext){
        .r8 = g[R8], .r9 = g[R9], .r10 = g[R10], .r11 = g[R11], .r12 = g[R12], .r13 = g[R13], .r14 = g[R14],
        .r15 = g[R15], .rdi = g[RDI], .rsi = g[RSI], .rbp = g[RBP], .rbx = g[RBX], .rdx = g[RDX], .rax = g[RAX],
        .rcx = g[RCX], .rsp = g[RSP], .rip = r->pc, .eflags = r->flags, .cs = 0x33, .ss = 0x2b,
        .err = f->err, .trapno = f->trapno, .cr2 = f->cr2,
    };
}

static addr_t frame_stack(struct thread *t, const struct k_sigaction *act, struct k_stack *shown)
{
    addr_t sp = t->arch.regs.gpr[RSP] - 128;
    struct k_stack *alt = &t->altstack;
    bool on = alt->size && !(alt->flags & (s32)K_SS_AUTODISARM) && sp + 128 > alt->sp && sp + 128 - alt->sp <= alt->size;
    *shown = *alt;
    shown->flags = (alt->flags & (s32)K_SS_AUTODISARM) | (!alt->size ? K_SS_DISABLE : on ? K_SS_ONSTACK : 0);
    if (act->flags & K_SA_ONSTACK && alt->size && !on)
        sp = alt->sp + alt->size;
    if (alt->flags & (s32)K_SS_AUTODISARM)
        *alt = (struct k_stack){ 0 };
    return sp;
}

/* Tile data is part of a thread's frames from its first use on, for the kernel makes room for it then. */
static u64 frame_features(struct thread *t)
{
    if (x86_xfeatures & XF_TILE_DATA && arch_uses_tiles())
        t->arch.has_tiles = true;
    return t->arch.has_tiles ? x86_xfeatures : x86_xfeatures & ~XF_TILE_DATA;
}

static bool push_xstate(struct thread *t, addr_t at, u64 features)
{
    u8 *area = scratch_area(t);
    u32 size = x86_xsize_of(features);
    memset(area + XSAVE_HEADER, 0, XSAVE_HEADER_SIZE);
    memset(area + SW_OFFSET, 0, XSAVE_HEADER - SW_OFFSET);
    xsave_to(area, features);
    *(u64 *)(area + XSAVE_HEADER) |= 3;           /* x87 and SSE are always there, as the kernel has it */
    x86_mend_x87(area, (struct x87_layout){ FXSAVE_FIP, FXSAVE_FDP, 8, FXSAVE_FOP }, *(u32 *)(area + FXSAVE_FIP));
    struct sw_bytes sw = { MAGIC1, size + 4, features, size, { 0 } };
    memcpy(area + SW_OFFSET, &sw, sizeof sw);
    u32 magic2 = MAGIC2;
    return smc_write((void *)at, area, size) && smc_write((void *)(at + size), &magic2, 4);
}

/* A handler starts with fresh vector state. Protection keys stay. */
static void reset_xstate(struct thread *t)
{
    u8 *area = scratch_area(t);
    memset(area, 0, XSAVE_HEADER + XSAVE_HEADER_SIZE);
    *(u16 *)area = 0x37f;
    *(u32 *)(area + XSAVE_MXCSR) = 0x1f80;
    xrstor_from(area, x86_xfeatures & ~(1ull << 9));
}

bool arch_frame_push(struct thread *t, u32 sig, const struct k_sigaction *act, const struct k_siginfo *info,
                     const struct arch_fault *fault, u64 mask)
{
    struct k_stack shown;
    struct frame f = { .restorer = act->restorer, .info = *info };
    addr_t sp = frame_stack(t, act, &shown);
    u64 features = frame_features(t);
    addr_t fp = ROUND_DOWN(sp - (x86_xsize_of(features) + 4), 64ul);
    sp = ROUND_DOWN(fp - sizeof f, 16ul) - 8;
    f.uc.flags = UC_FP_XSTATE | UC_SIGCONTEXT_SS | UC_STRICT_RESTORE_SS;
    f.uc.stack = shown;
    f.uc.mask = mask;
    x86_unfinished_flags(&t->arch);
    fill_context(&f.uc.mc, &t->arch.regs, fault);
    f.uc.mc.oldmask = mask;
    f.uc.mc.fpstate = fp;
    if (!push_xstate(t, fp, features) || !smc_write((void *)sp, &f, sizeof f))
        return false;
    reset_xstate(t);
    t->arch.rep_pc = 0;                          /* the handler's own repeated instructions begin afresh */
    u64 *g = t->arch.regs.gpr;
    g[RDI] = sig;
    g[RSI] = sp + offsetof(struct frame, info);
    g[RDX] = sp + offsetof(struct frame, uc);
    g[RAX] = 0;
    g[RSP] = sp;
    t->arch.regs.flags &= ~(u64)(FLAG_DF | FLAG_RF | FLAG_TF);
    t->arch.regs.pc = act->handler;
    return true;
}

/* A frame of a size that cannot be, or without its end mark, holds x87 and SSE alone. */
static bool is_extended(struct thread *t, const struct sw_bytes *sw, addr_t from)
{
    u32 magic2, most = x86_xsize_of(frame_features(t));
    return sw->magic1 == MAGIC1 && sw->xstate_size >= XSAVE_HEADER + XSAVE_HEADER_SIZE && sw->xstate_size <= most &&
           sw->xstate_size <= sw->extended_size && mem_copy_safely(&magic2, (void *)(from + sw->xstate_size), 4) && magic2 == MAGIC2;
}

/* What xrstor would refuse: features that the CPU lacks, bytes that must be zero, bits of mxcsr that do not exist. */
static bool would_fault(const u8 *area)
{
    u8 now[512] __attribute__((aligned(16)));
    const u64 *header = (const u64 *)(area + XSAVE_HEADER);
    u64 reserved = header[0] & ~x86_xfeatures;
    for (u32 i = 1; i < XSAVE_HEADER_SIZE / 8; i++)
        reserved |= header[i];
    __asm__("fxsave64 %0" : "=m"(now));
    u32 bits = *(u32 *)(now + XSAVE_MXCSR + 4);
    return reserved || *(const u32 *)(area + XSAVE_MXCSR) & ~(bits ? bits : 0xffbf);
}

static bool pop_xstate(struct thread *t, addr_t from)
{
    u8 *area = scratch_area(t);
    u64 *header = (u64 *)(area + XSAVE_HEADER);
    struct sw_bytes sw;
    if (!from) {
        reset_xstate(t);
        return true;
    }
    if (!mem_copy_safely(area, (void *)from, XSAVE_HEADER))
        return false;
    memcpy(&sw, area + SW_OFFSET, sizeof sw);
    memset(header, 0, XSAVE_HEADER_SIZE);
    if (!is_extended(t, &sw, from))
        header[0] = sw.xfeatures = 3;
    else if (!mem_copy_safely(header, (void *)(from + XSAVE_HEADER), sw.xstate_size - XSAVE_HEADER))
        return false;
    if (would_fault(area))
        return false;
    header[0] &= sw.xfeatures;
    xrstor_from(area, x86_xfeatures & ~(1ull << 9));
    return true;
}

enum frame_state arch_frame_pop(struct thread *t, u64 *mask, struct k_stack *alt)
{
    struct k_ucontext uc;
    u64 *g = t->arch.regs.gpr;
    if (!mem_copy_safely(&uc, (void *)g[RSP], sizeof uc))        /* the handler's return popped the restorer */
        return FRAME_UNREADABLE;
    u64 flags = t->arch.regs.flags;
    arch_context_load(&t->arch.regs, &uc);
    t->arch.regs.flags = (flags & ~USER_FLAGS) | (uc.mc.eflags & USER_FLAGS);
    *mask = uc.mask;
    *alt = uc.stack;
    if (pop_xstate(t, uc.mc.fpstate))
        return FRAME_GOOD;
    reset_xstate(t);
    return FRAME_BAD_VECTORS;
}

/* ---- the kernel's context ---- */
void arch_context_load(struct arch_regs *to, const struct k_ucontext *from)
{
    const struct k_sigcontext *m = &from->mc;
    *to = (struct arch_regs){ .gpr = { m->rax, m->rcx, m->rdx, m->rbx, m->rsp, m->rbp, m->rsi, m->rdi, m->r8, m->r9, m->r10,
                                       m->r11, m->r12, m->r13, m->r14, m->r15 },
                              .flags = m->eflags, .pc = m->rip };
}

addr_t arch_context_pc(const struct k_ucontext *uc) { return uc->mc.rip; }
u64 arch_context_count(const struct k_ucontext *uc) { return uc->mc.r11; }
u64 arch_context_iterations(const struct k_ucontext *uc) { return uc->mc.rcx; }
addr_t arch_context_sp(const struct k_ucontext *uc) { return uc->mc.rsp; }
void arch_context_set_pc(struct k_ucontext *uc, addr_t pc) { uc->mc.rip = pc; }
u64 arch_context_result(const struct k_ucontext *uc) { return uc->mc.rax; }

void arch_context_step(struct k_ucontext *uc, bool on)
{
    uc->mc.eflags = on ? uc->mc.eflags | FLAG_TF : uc->mc.eflags & ~(u64)FLAG_TF;
}

enum { DEBUG = 1, BREAKPOINT = 3, GENERAL_PROTECTION = 13, PAGE_FAULT = 14, ERR_PRESENT = 1, ERR_WRITE = 2, ERR_USER = 4, ERR_FETCH = 16 };

void arch_fetch_fault(struct arch_fault *out, addr_t address, bool is_present, bool is_protection)
{
    if (is_protection)
        *out = (struct arch_fault){ GENERAL_PROTECTION, 0, 0 };
    else
        *out = (struct arch_fault){ PAGE_FAULT, ERR_USER | ERR_FETCH | (is_present ? ERR_PRESENT : 0), address };
}

void arch_emulate_fault(struct arch_fault *out, const struct emulate_out *from)
{
    if (from->trap)
        *out = (struct arch_fault){ from->trap, from->err, 0 };
    else if (from->address)
        *out = (struct arch_fault){ PAGE_FAULT, ERR_USER | (from->is_read ? 0 : ERR_WRITE), from->address };
    else
        *out = (struct arch_fault){ GENERAL_PROTECTION, from->err, 0 };
}

void arch_context_fault(const struct k_ucontext *uc, struct arch_fault *out)
{
    *out = (struct arch_fault){ uc->mc.trapno, uc->mc.err, uc->mc.cr2 };
}

bool arch_context_is_trap(const struct k_ucontext *uc) { return uc->mc.trapno == DEBUG || uc->mc.trapno == BREAKPOINT; }

void arch_context_resume(struct k_ucontext *uc)
{
    uc->mc.rip = (u64)x86_restart;
    uc->mc.eflags = 2;
}

bool arch_mend_stray_pc(struct k_ucontext *uc) { return x86_mend_return(&uc->mc); }

/* ---- windows in entry.S ---- */
extern u8 x86_syscall_lo[], x86_syscall_hi[], x86_syscall_abort[], x86_safe_lo[], x86_safe_hi[], x86_safe_fail[], x86_sigreturn[];

extern u8 x86_int80_lo[], x86_int80_hi[], x86_int80_abort[], x86_int80_try[];

static bool in_older_call(addr_t pc) { return pc >= (addr_t)x86_int80_lo && pc <= (addr_t)x86_int80_abort; }
bool arch_in_syscall_window(addr_t pc)
{
    return (pc >= (addr_t)x86_syscall_lo && pc <= (addr_t)x86_syscall_hi) || (pc >= (addr_t)x86_int80_lo && pc <= (addr_t)x86_int80_hi);
}
bool arch_call_was_interrupted(const struct k_ucontext *uc)
{
    enum { EINTR = 4 };
    return (uc->mc.rip == arch_app_call_end(0) || uc->mc.rip == arch_app_call_end(1)) && (s64)uc->mc.rax == -EINTR;
}
void arch_abort_syscall(struct k_ucontext *uc) { uc->mc.rip = (u64)(in_older_call(uc->mc.rip) ? x86_int80_abort : x86_syscall_abort); }
bool arch_in_safe_copy(addr_t pc) { return (pc >= (addr_t)x86_safe_lo && pc < (addr_t)x86_safe_hi) || pc == (addr_t)x86_int80_try; }
void arch_fail_safe_copy(struct k_ucontext *uc) { uc->mc.rip = (u64)x86_safe_fail; }
addr_t arch_app_call_end(u32 i) { return (addr_t)(i ? x86_int80_hi : x86_syscall_hi) + 2; }
addr_t arch_sigreturn_stub(void) { return (addr_t)x86_sigreturn; }

void arch_fault_as(int sig)
{
    switch (sig) {
    case K_SIGSEGV: __asm__ volatile("hlt"); break;
    case K_SIGILL: __asm__ volatile("ud2"); break;
    case K_SIGTRAP: __asm__ volatile("int3"); break;
    case K_SIGFPE: __asm__ volatile("div %b0" : : "r"(0) : "rax", "cc"); break;
    case K_SIGBUS:                                /* with the flag AC an odd address is a fault */
        __asm__ volatile("pushf; orl $0x40000, (%%rsp); popf; mov 1(%%rsp), %%eax" : : : "rax", "cc", "memory");
        break;
    }
}

/* ---- leaving for good ---- */
void x86_go_native(void *frame, u64 fs, u64 gs, u16 fs_selector, u16 gs_selector) NORETURN;

/* As a signal handler returns: the kernel loads everything at once. */
void arch_go_native(struct thread *t)
{
    u8 room[ROUND_UP(x86_xsize, 64u) + 128];
    addr_t fp = ROUND_UP((addr_t)room, 64ul);
    struct k_ucontext uc = { .flags = UC_FP_XSTATE | UC_SIGCONTEXT_SS | UC_STRICT_RESTORE_SS, .stack = t->altstack,
                             .mask = t->app_mask };
    struct arch_fault none = { 0 };
    fill_context(&uc.mc, &t->arch.regs, &none);
    uc.mc.fpstate = fp;
    if (!t->altstack.size)
        uc.stack.flags = K_SS_DISABLE;
    push_xstate(t, fp, frame_features(t));
    x86_go_native(&uc, x86_app_fs(), t->arch.app_gs, t->arch.fs_selector, t->arch.gs_selector);
}
