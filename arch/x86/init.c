/* init.c: facts about this CPU, and the small bridges between C and entry.S. */
#include "arch/x86/gate_offsets.h"
#include "arch/x86/context.h"
#include "arch/x86/int80.h"
#include "arch/x86/cpu.h"
#include "arch/x86/landing.h"
#include "arch/x86/restore.h"
#include "arch/x86/bridge.h"
#include "arch/x86/xstate.h"
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/jit/promote.h"
#include "engine/thread.h"
#include "loader/handoff.h"

u64 x86_xfeatures;
u32 x86_xsize;

static u64 fs_base(void)
{
    u64 v;
    __asm__("mov %%fs:0, %0" : "=r"(v));
    return v;
}

static u64 xcr0;

void x86_ask_for_tiles(void)
{
    enum { GET_XCOMP_PERM = 0x1022 };
    u64 permitted = 0;
    if (xcr0 & XF_TILE_DATA)
        sys2(__NR_arch_prctl, GET_XCOMP_PERM, &permitted);
    x86_xfeatures = xcr0 & ~(permitted & XF_TILE_DATA ? 0 : XF_TILE_DATA);
}

/* Tile data comes last. */
u32 x86_xsize_of(u64 features) { return xcr0 & ~features & XF_TILE_DATA ? x86_component(TILE_DATA)->offset : x86_xsize; }

void x86_facts_init(void)
{
    x86_xsize = x86_xsave_bytes(&xcr0);
    if (!x86_xsize)
        ct_fatal("this CPU has no xsave; Cotter needs it to keep the program's vector state");
    x86_ask_for_tiles();
    x86_tls = (s32)((u64)&thr_self - fs_base());
    x86_bridge_init();
}

void arch_init(void)
{
    x86_facts_init();
    x86_landing_init();
}

size_t arch_xsave_size(void) { return ROUND_UP(x86_xsize, 64u); }
/* A frame holds the vector state; the handler itself needs a few KB. */
size_t arch_sigstack_size(void) { return ROUND_UP(x86_xsize + 12288ul, PAGE_SIZE); }

bool arch_is_canonical(addr_t a) { return (addr_t)((s64)(a << 16) >> 16) == a; }
bool arch_is_kernel_half(addr_t a) { return (s64)a < 0; }

addr_t arch_sp(const struct arch_regs *r) { return r->gpr[RSP]; }

void arch_mark_fault(struct arch_regs *r) { r->flags |= 0x10000; }      /* RF */

/* Of another thread (tracee.c) nothing can be put back, only looked at. */
static void put_back_gs(struct arch_thread *t, u64 base)
{
    if (t == &thr_self.arch)
        __asm__ volatile("wrgsbase %0" : : "r"(base));
}

/* A scratch register of an instruction's own may be one that is parked for the trace: those come last. */
void arch_unspill(struct arch_regs *r, struct arch_thread *t, u32 restore, u32 parked, bool at_start)
{
    if (restore & (at_start ? RESTING_R11 : RESTING_R11 | RESTORE_R11))
        r->gpr[R11] = t->r11;
    for (u32 slot = 0; !at_start && slot < RESTORE_SLOTS; slot++) {
        int reg = RESTORE_REG(restore, slot);
        if (reg == RESTORE_GS)
            put_back_gs(t, t->slot[slot]);
        else if (reg >= 0)
            r->gpr[reg] = t->slot[slot];
    }
    if (!at_start && restore & RESTORE_RSP_MOVED)
        r->gpr[RSP] += 8;
    for (u32 k = 0; parked && k < MOST_PARKED; k++)
        if (has_parked(parked, k))
            r->gpr[parked_reg(parked, k)] = t->slot[PARKED_SLOT + k];
    r->gpr[RCX] += t->rep_rest;
    if (r == &t->regs)                              /* who only looks at them leaves the thread where it is */
        t->rep_rest = 0;
}

long x86_call_hosted(long (*f)(void *), void *arg, u8 *xsave, u64 mask);

bool arch_is_hosted(void) { return thr_self.arch.hosted; }

/* The area is on the stack, so that hosted code may come back here. */
long arch_call_hosted(long (*f)(void *), void *arg)
{
    u8 room[ROUND_UP(x86_xsize, 64u) + 64], *area = (u8 *)ROUND_UP((addr_t)room, 64);
    struct arch_thread *t = &thr_self.arch;
    u8 *outer = t->hosted;
    memset(area + XSAVE_HEADER, 0, XSAVE_HEADER_SIZE);
    t->hosted = area;
    promote_fold();
    long r = x86_call_hosted(f, arg, area, x86_xfeatures);
    t->hosted = outer;
    return r;
}

/* As analysis calls do it: xsave and xrstor take longer than most callbacks for a trace. None of those is given a context, so
 * nobody looks for the state where `hosted` points. A program that has ever used x87 has it in use for good, and to save and load that
 * takes as long as a small trace takes to be made. */
long arch_call_briefly(long (*f)(void *), void *arg, bool is_simple)
{
    struct x86_frame frame;
    struct arch_thread *t = &thr_self.arch;
    u8 *outer = t->hosted;
    t->hosted = (u8 *)&frame;
    promote_fold();
    t->spares_x87 = is_simple;
    x86_vectors_save(&frame);
    t->spares_x87 = false;
    long r = f(arg);
    x86_vectors_load(&frame);
    t->hosted = outer;
    return r;
}

void arch_enter_first(struct thread *t)
{
    __asm__ volatile("jmp x86_restart");
    __builtin_unreachable();
}

/* What exec leaves: vector state reset, the tool's kernel registrations gone. */
void x86_fresh_process(void)
{
    static u8 zero[XSAVE_HEADER + XSAVE_HEADER_SIZE] __attribute__((aligned(64)));
    *(u16 *)zero = 0x37f;
    *(u32 *)(zero + XSAVE_MXCSR) = 0x1f80;
    xrstor_from(zero, x86_xfeatures & ~(1ull << 9));
    sys1(__NR_set_tid_address, 0);
    sys2(__NR_set_robust_list, 0, 24);
}

/* And no thread pointer. */
void arch_start_registers(struct thread *t, const struct handoff_regs *r)
{
    t->arch.regs = (struct arch_regs){
        .gpr = { r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp, r->rsi, r->rdi, r->r8, r->r9, r->r10, r->r11, r->r12,
                 r->r13, r->r14, r->r15 },
        .flags = r->eflags, .pc = r->rip };
    t->arch.app_gs = r->gs_base;
    __asm__ volatile("wrgsbase %0" : : "r"(r->fs_base));
    x86_fresh_process();
}

/* ---- attach ---- */
extern u8 x86_attach_computing[], x86_attach_from_call[], x86_syscall_hi[], x86_gate[], x86_again[];

void arch_attach_code(u64 *gate, u64 *again)
{
    *gate = (u64)x86_gate;
    *again = (u64)x86_again;
}

/* mov home_rbx(%rip), %rbx; jmp *home_pc(%rip): the only way to load the last register and go. */
void arch_leave_code(struct handoff_thread *h)
{
    static const u8 code[sizeof h->leave_code] = { 0x48, 0x8b, 0x1d, 9, 0, 0, 0, 0xff, 0x25, 11, 0, 0, 0, 0xcc, 0xcc, 0xcc };
    memcpy(h->leave_code, code, sizeof code);
    h->leave = (u64)h->leave_code;
}

/* In a call: the kernel goes back from behind the engine's own `syscall` to restart it, with the same arguments. */
void arch_adopt(struct thread *t, struct handoff_thread *h)
{
    enum { SYSCALL_LEN = 2, PLAIN_FLAGS = 0x202 };
    const struct handoff_regs *r = &h->regs;
    t->arch.regs = (struct arch_regs){
        .gpr = { r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp, r->rsi, r->rdi, r->r8, r->r9, r->r10, r->r11, r->r12,
                 r->r13, r->r14, r->r15 },
        .flags = r->eflags, .pc = r->rip };
    t->arch.app_gs = r->gs_base;
    t->arch.app_fs = r->fs_base;
    t->arch.fs_selector = (u16)r->fs;
    t->arch.gs_selector = (u16)r->gs;
    h->enter = *r;
    h->enter.fs = h->enter.gs = 0;
    h->enter.eflags = PLAIN_FLAGS;
    h->enter.fs_base = (u64)t - (u64)(s64)x86_tls;
    h->enter.gs_base = r->fs_base;
    h->enter.rsp = t->arch.engine_sp;
    arch_leave_code(h);
    if (h->in_call) {
        t->arch.regs.gpr[RAX] = r->orig_rax;
        t->arch.regs.pc -= SYSCALL_LEN;
        h->enter.rsp -= 8;
        *(u64 *)h->enter.rsp = (u64)x86_attach_from_call;
        h->enter.rip = (u64)x86_syscall_hi + SYSCALL_LEN;
    } else {
        h->enter.orig_rax = ~0ull;
        h->enter.rip = (u64)x86_attach_computing;
    }
}

/* ---- detach ---- */
extern u8 x86_ferry[], x86_syscall_lo[], x86_int80_lo[], x86_int80_hi[], x86_exit_gate[];
long x86_clone_thread(const struct syscall_args *a);

void arch_note_bases(struct arch_thread *t) { t->app_fs = x86_app_fs(); }

/* In the kernel: behind the instruction, where the kernel goes back from to restart it. */
void arch_native_registers(const struct thread *t, struct handoff_regs *r)
{
    const struct arch_regs *from = t->stopped ? &t->stopped->regs : &t->arch.regs;
    const u64 *g = from->gpr;
    *r = (struct handoff_regs){ .rax = g[RAX], .rcx = g[RCX], .rdx = g[RDX], .rbx = g[RBX], .rsp = g[RSP], .rbp = g[RBP],
        .rsi = g[RSI], .rdi = g[RDI], .r8 = g[R8], .r9 = g[R9], .r10 = g[R10], .r11 = g[R11], .r12 = g[R12], .r13 = g[R13],
        .r14 = g[R14], .r15 = g[R15], .orig_rax = ~0ull, .rip = from->pc, .eflags = from->flags, .gs_base = t->arch.app_gs, .fs = t->arch.fs_selector, .gs = t->arch.gs_selector,
        .fs_base = t == &thr_self ? x86_app_fs() : t->stopped ? t->stopped->fs_base : t->arch.app_fs };
    if (t == &thr_self || t->stopped)
        return;
    r->rip += t->insn_len;
    if (t->arch.is_older_call)
        return;
    r->rcx = r->rip;
    r->r11 = r->eflags;
}

addr_t arch_exit_gate(void) { return (addr_t)x86_exit_gate; }

void arch_call_window(u32 i, u64 *lo, u64 *hi)
{
    *lo = (u64)(i ? x86_int80_lo : x86_syscall_lo);
    *hi = (u64)(i ? x86_int80_hi : x86_syscall_hi);
}

void arch_ferry_registers(struct thread *t, struct handoff_regs *r)
{
    *r = (struct handoff_regs){ .rip = (u64)x86_ferry, .rsp = t->arch.engine_sp, .eflags = 0x202, .orig_rax = ~0ull,
                                .fs_base = (u64)t - (u64)(s64)x86_tls };
}

void arch_start_ferry(struct syscall_args *a, const struct handoff_regs *r)
{
    u64 *sp = (u64 *)r->rsp - 3;
    sp[0] = r->fs_base;
    sp[1] = 0;
    sp[2] = r->rip;
    a->a[1] = (long)sp;
    x86_clone_thread(a);
}

/* The vsyscall page cannot be read, only called: gettimeofday, time, getcpu at fixed addresses. */
bool arch_special_pc(struct thread *t)
{
    enum { STEP = 0x400 };
    static const u16 calls[] = { __NR_gettimeofday, __NR_time, __NR_getcpu };
    addr_t at = t->arch.regs.pc - 0xffffffffff600000ull;
    u64 *g = t->arch.regs.gpr, back;
    if (at >= PAGE_SIZE || at % STEP || at / STEP >= ARRAY_LEN(calls))
        return false;
    if (!mem_copy_safely(&back, (void *)g[RSP], 8))
        return false;
    g[RAX] = (u64)sys3(calls[at / STEP], g[RDI], g[RSI], g[RDX]);
    g[RSP] += 8;
    t->arch.regs.pc = back;
    return true;
}

/* ---- system calls ---- */
long x86_syscall(const struct syscall_args *a);

long arch_syscall(struct arch_thread *t, const struct syscall_args *a) { return a->older ? x86_older_call(a) : x86_syscall(a); }

void arch_sys_get(struct arch_thread *t, struct syscall_args *out)
{
    const u64 *g = t->regs.gpr;
    t->is_older_call = false;
    *out = (struct syscall_args){ .nr = (long)g[RAX], .a = { (long)g[RDI], (long)g[RSI], (long)g[RDX], (long)g[R10], (long)g[R8], (long)g[R9] } };
}

void arch_sys_set_args(struct arch_thread *t, const struct syscall_args *in)
{
    u64 *g = t->regs.gpr;
    g[RAX] = (u64)in->nr;
    g[RDI] = (u64)in->a[0], g[RSI] = (u64)in->a[1], g[RDX] = (u64)in->a[2];
    g[R10] = (u64)in->a[3], g[R8] = (u64)in->a[4], g[R9] = (u64)in->a[5];
}

void arch_sys_result(struct arch_thread *t, long result, addr_t next_pc)
{
    t->regs.gpr[RAX] = (u64)result;
    t->regs.pc = next_pc;
    if (t->is_older_call)
        return;
    t->regs.gpr[RCX] = next_pc;                 /* as the syscall instruction leaves them */
    t->regs.gpr[R11] = t->regs.flags;
}

/* ---- threads ---- */
struct thread *arch_thread_at(uintptr_t fs) { return (struct thread *)(fs + (s64)x86_tls); }
void arch_set_sp(struct arch_regs *r, addr_t sp) { r->gpr[RSP] = sp; }
void arch_inherit(struct arch_thread *child, const struct arch_thread *parent)
{
    child->regs = parent->regs;
    child->app_gs = parent->app_gs;
    child->is_older_call = parent->is_older_call;
    child->fs_selector = parent->fs_selector;
    child->gs_selector = parent->gs_selector;
}

void arch_set_app_tls(struct arch_thread *t, u64 tls)
{
    t->fs_selector = 0;
    __asm__ volatile("wrgsbase %0" : : "r"(tls));
}

extern u8 x86_new_thread[];

addr_t arch_clone_sp(u8 *stack_top) { return (addr_t)((u64 *)stack_top - 3); }

long arch_clone_thread(struct syscall_args *a, u8 *stack_top, uintptr_t fs, const u64 *app_tls)
{
    u64 *sp = (u64 *)stack_top - 3;
    sp[0] = fs;
    sp[1] = app_tls ? *app_tls : x86_app_fs();
    sp[2] = (u64)x86_new_thread;
    if (app_tls)
        arch_thread_at(fs)->arch.fs_selector = 0;
    return x86_clone_thread(a);
}

void x86_vfork(const struct syscall_args *a) NORETURN;
void arch_vfork(const struct syscall_args *a) { x86_vfork(a); }

void arch_thread_end(u32 *done, int status)
{
    __asm__ volatile("movl $1, (%0)\n\tmov %1, %%eax\n\tsyscall\n\thlt"
                     : : "r"(done), "i"(__NR_exit), "D"((long)status) : "rax", "memory");
    __builtin_unreachable();
}
