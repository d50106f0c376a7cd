/* early.c: faults before the engine runs: in the tool's constructors and its main(). Without a handler the process would die of
 * them as the program might. What the kernel had for these signals is put back before the engine looks at it. */
#include "arch_signal.h"
#include "base/sys.h"
#include "engine/emulate/handler.h"
#include "engine/report.h"

static const u8 faults[] = { K_SIGSEGV, K_SIGBUS, K_SIGFPE, K_SIGILL };
static struct k_sigaction before[sizeof faults];
static u8 stack[1 << 16] __attribute__((aligned(64)));
static bool is_watching;

void early_watch(void)
{
    struct k_sigaction k = { (u64)handler_entry, K_SA_SIGINFO | K_SA_ONSTACK | K_SA_RESTORER, arch_sigreturn_stub(), ~0ull };
    struct k_stack ss = { (u64)stack, 0, 0, sizeof stack };
    sys2(__NR_sigaltstack, &ss, 0);
    for (u32 i = 0; i < sizeof faults; i++)
        sys4(__NR_rt_sigaction, faults[i], &k, &before[i], 8);
    is_watching = true;
}

void early_end(void)
{
    struct k_stack none = { .flags = K_SS_DISABLE };
    if (!is_watching)
        return;
    for (u32 i = 0; i < sizeof faults; i++)
        sys4(__NR_rt_sigaction, faults[i], &before[i], 0, 8);
    sys2(__NR_sigaltstack, &none, 0);
    is_watching = false;
}
