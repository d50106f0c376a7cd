/* String instructions and xlat with a GS operand: memory, registers and flags as natively; of two operands that cannot be
 * read, the same one is reported. */
#include "t.h"
#include <asm/prctl.h>
#include <setjmp.h>

static char src[64] = "hello gs world", dst[64], other[64] = "hello gs earth";

static sigjmp_buf back;
static void on_fault(int sig, siginfo_t *info, void *context)
{
    printf(" %d.%p", info->si_code, info->si_addr);
    siglongjmp(back, 1);
}

#define COMPARE(text, prefix) do { \
    for (int k = 0; k < 4; k++) { \
        unsigned long si = k == 2 ? (unsigned long)src : k == 3 ? 0x8111000000000000 : 0x111000, di = k == 1 ? (unsigned long)other : 0x222000, cx = 5; \
        if (!sigsetjmp(back, 1)) \
            __asm__ volatile("cmp %%eax, %%eax; " prefix text " %%es:(%%rdi), %%gs:(%%rsi)" : "+S"(si), "+D"(di), "+c"(cx) : : "memory", "cc"); \
    } \
    printf(" " prefix text "\n"); \
} while (0)

/* Both operands are bad, or the source, or the target; or the source is at an address that cannot be. GS is 0. */
static void bad_operands(void)
{
    sigaction(SIGSEGV, &(struct sigaction){ .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO }, NULL);
    syscall(SYS_arch_prctl, ARCH_SET_GS, 0);
    COMPARE("cmpsb", ""); COMPARE("cmpsw", ""); COMPARE("cmpsl", ""); COMPARE("cmpsq", "");
    COMPARE("cmpsb", "repe "); COMPARE("cmpsw", "repe "); COMPARE("cmpsl", "repe "); COMPARE("cmpsq", "repe ");
    COMPARE("cmpsb", "repne "); COMPARE("cmpsq", "repne ");
}

int main(void)
{
    syscall(SYS_arch_prctl, ARCH_SET_GS, (unsigned long)src - 0x100);
    unsigned long si = 0x100, di = (unsigned long)dst, cx = 14, fl;
    __asm__ volatile("rep movsb %%gs:(%%rsi), %%es:(%%rdi)" : "+S"(si), "+D"(di), "+c"(cx) : : "memory");
    printf("%s %lx %lx\n", dst, si, cx);
    si = 0x100, di = (unsigned long)other, cx = 14;
    __asm__ volatile("cmp %%eax, %%eax; repe cmpsb %%es:(%%rdi), %%gs:(%%rsi); pushfq; pop %3"
                     : "+S"(si), "+D"(di), "+c"(cx), "=r"(fl) : : "memory", "cc");
    printf("%lx %lx %lx\n", si, cx, fl & 0x8d5);
    unsigned long a = 0x1122334455667788, b = 0x100;
    si = 0x104;
    __asm__ volatile("lodsw %%gs:(%%rsi), %%ax" : "+S"(si), "+a"(a));
    printf("%lx %lx\n", a, si);
    a = 3;
    __asm__ volatile(".byte 0x65; xlatb" : "+a"(a) : "b"(b));
    printf("%lx\n", a);
    bad_operands();
    return DONE();
}
