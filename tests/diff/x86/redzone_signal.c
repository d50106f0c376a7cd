/* A leaf function keeps data in the red zone while a timer interrupts it again and again. */
#include "t.h"
#include <sys/time.h>

static volatile int ticks;
static void tick(int signo)
{
    volatile char noise[512];
    memset((void *)noise, 0xee, sizeof noise);
    /* Stopped here: a slow handler may leave the program no time to do it. */
    if (++ticks == 200)
        setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

u64 leaf(u64 rounds);
__asm__(".pushsection .text\n.globl leaf\nleaf:\n  mov %rdi, -8(%rsp); movq $0, -16(%rsp); movq $1, -128(%rsp)\n"
        "1: mov -128(%rsp), %rax; add %rax, -16(%rsp); imul $3, %rax, %rax; inc %rax; mov %rax, -128(%rsp);"
        " decq -8(%rsp); jnz 1b\n"
        "  mov -16(%rsp), %rax; ret\n.popsection\n");

int main(void)
{
    u64 expect = leaf(200000), bad = 0;
    signal(SIGALRM, tick);
    struct itimerval it = {{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &it, NULL);
    while (ticks < 200)
        bad += leaf(200000) != expect;
    printf("%llx bad %llu\n", (unsigned long long)expect, (unsigned long long)bad);
    return DONE();
}
