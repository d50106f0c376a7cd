/* cpuid asked twice says the same, also of caches and of the extended state; and it faults once the program has asked for that. */
#include "t.h"
#include <cpuid.h>

static sigjmp_buf back;
static void faulted(int sig, siginfo_t *info, void *context)
{
    const u8 *pc = (const u8 *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    printf("signal %d, code %d, at %02x %02x\n", sig, info->si_code, pc[0], pc[1]);
    siglongjmp(back, 1);
}

static void ask(u32 leaf, u32 sub)
{
    u32 a, b, c, d;
    __cpuid_count(leaf, sub, a, b, c, d);
    printf("%x.%u: %x %x %x %x\n", leaf, sub, a, b, c, d);
}

static void ask_with_fault(const char *when)
{
    printf("%s\n", when);
    if (!sigsetjmp(back, 1))
        ask(4, 1);
}

int main(void)
{
    enum { ARCH_SET_CPUID = 0x1012 };
    for (u32 round = 0; round < 3; round++) {
        ask(2, round);
        for (u32 sub = 0; sub < 9; sub++)
            ask(4, sub);
        for (u32 sub = 2; sub < 24; sub++)
            ask(13, sub);
    }
    struct sigaction act = { .sa_sigaction = faulted, .sa_flags = SA_SIGINFO };
    sigaction(SIGSEGV, &act, NULL);
    int can = syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0) == 0;
    ask_with_fault(can ? "forbidden" : "cannot be forbidden");
    if (can)
        syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1);
    ask_with_fault("allowed");
    return DONE();
}
