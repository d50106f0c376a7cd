/* fault.h: run a piece of assembly that faults, and print the whole context that its handler sees.
 * Addresses are printed relative to the piece and to the stack pointer at its start, so that they do not vary. */
#ifndef TEST_FAULT_H
#define TEST_FAULT_H
#include "x86.h"

static struct {
    sigjmp_buf back;
    u64 piece, stack;
    u64 addr_base;       /* subtracted from si_addr and cr2; 0: printed as they are */
    int hits;
    int hide_addr;
} fault;

static inline const char *fault_rel(u64 v, char *buf)
{
    if (v - fault.piece + 4096 < 65536)
        sprintf(buf, "piece%+lld", (long long)(v - fault.piece));
    else if (fault.addr_base && v - fault.addr_base + 65536 < (1u << 20))
        sprintf(buf, "data%+lld", (long long)(v - fault.addr_base));
    else if (v - fault.stack + 65536 < 131072)
        sprintf(buf, "stack%+lld", (long long)(v - fault.stack));
    else
        sprintf(buf, "%llx", (unsigned long long)v);
    return buf;
}

static inline void fault_print(int signo, siginfo_t *si, ucontext_t *uc)
{
    static const struct { const char *name; int at; } list[] = {
        {"rax", REG_RAX}, {"rbx", REG_RBX}, {"rcx", REG_RCX}, {"rdx", REG_RDX}, {"rsi", REG_RSI}, {"rdi", REG_RDI},
        {"rbp", REG_RBP}, {"r8", REG_R8}, {"r9", REG_R9}, {"r10", REG_R10}, {"r11", REG_R11}, {"r12", REG_R12},
        {"r13", REG_R13}, {"r14", REG_R14}, {"r15", REG_R15}, {"rsp", REG_RSP}, {"rip", REG_RIP}};
    greg_t *g = uc->uc_mcontext.gregs;
    char buf[64];
    printf("  signo %d code %d trapno %lld err %llx", signo, si->si_code, (long long)g[REG_TRAPNO],
           (unsigned long long)g[REG_ERR]);
    if (!fault.hide_addr)
        printf(" addr %s", fault_rel((u64)si->si_addr, buf));
    if (g[REG_TRAPNO] == 14)
        printf(" cr2 %s", fault_rel((u64)g[REG_CR2], buf));
    printf(" eflags %llx csgsfs %llx\n ", (unsigned long long)g[REG_EFL], (unsigned long long)g[REG_CSGSFS]);
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++)
        printf(" %s=%s", list[i].name, fault_rel((u64)g[list[i].at], buf));
    const struct _libc_fpstate *fp = uc->uc_mcontext.fpregs;
    printf("\n  cwd %x swd %x mxcsr %x xmm", fp->cwd, fp->swd, fp->mxcsr);
    for (int i = 0; i < 16; i++)
        printf(" %08x", (u32)t_hash(T_HASH0, &fp->_xmm[i], 16));
    printf("\n");
}

static inline void fault_handler(int signo, siginfo_t *si, void *ctx)
{
    fault.hits++;
    fault_print(signo, si, ctx);
    siglongjmp(fault.back, 1);
}

static inline void fault_catch_all(void)
{
    static char alt[65536];
    stack_t ss = {.ss_sp = alt, .ss_size = sizeof alt};
    CHECK(sigaltstack(&ss, NULL) == 0);
    static const int list[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++)
        t_handle(list[i], fault_handler, SA_ONSTACK);
}

/* xmm registers get known contents, so that a context with the wrong vector state shows. */
static inline void fault_fill_xmm(void)
{
    static const u8 src[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    __asm__ volatile("movdqu %0, %%xmm0\n paddb %%xmm0, %%xmm0\n"
                     "movdqa %%xmm0, %%xmm1\n paddb %%xmm0, %%xmm1\n movdqa %%xmm1, %%xmm2\n paddb %%xmm0, %%xmm2\n"
                     "movdqa %%xmm2, %%xmm3\n paddb %%xmm0, %%xmm3\n movdqa %%xmm3, %%xmm4\n paddb %%xmm0, %%xmm4\n"
                     "movdqa %%xmm4, %%xmm5\n paddb %%xmm0, %%xmm5\n movdqa %%xmm5, %%xmm6\n paddb %%xmm0, %%xmm6\n"
                     "movdqa %%xmm6, %%xmm7\n paddb %%xmm0, %%xmm7\n movdqa %%xmm7, %%xmm8\n paddb %%xmm0, %%xmm8\n"
                     "movdqa %%xmm8, %%xmm9\n paddb %%xmm0, %%xmm9\n movdqa %%xmm9, %%xmm10\n paddb %%xmm0, %%xmm10\n"
                     "movdqa %%xmm10, %%xmm11\n paddb %%xmm0, %%xmm11\n movdqa %%xmm11, %%xmm12\n paddb %%xmm0,"
                     " %%xmm12\n"
                     "movdqa %%xmm12, %%xmm13\n paddb %%xmm0, %%xmm13\n movdqa %%xmm13, %%xmm14\n paddb %%xmm0,"
                     " %%xmm14\n"
                     "movdqa %%xmm14, %%xmm15\n paddb %%xmm0, %%xmm15\n"
                     :: "m"(src) : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

/* Runs one piece; prints the fault that it raised, or that it raised none. */
static inline void fault_try(const char *what, void (*piece)(void), struct regs *r)
{
    printf("%s\n", what);
    fault.piece = (u64)piece;
    fault.stack = (u64)__builtin_frame_address(0);
    if (sigsetjmp(fault.back, 1) == 0) {
        fault_fill_xmm();
        x86_call(piece, r);
        printf("  no fault\n");
    }
}
#endif
