/* A handler that spoils the vector part of its frame: what the kernel refuses is a SIGSEGV at the interrupted place, with its mask;
 * a frame without a size or an end mark restores x87 and SSE alone.
 * test-needs: cpu:avx */
#include "t.h"
#include <string.h>

enum { SW = 464, HEADER = 512, MXCSR = 24 };
static int how;
static unsigned size;

static void spoil(int sig, siginfo_t *si, void *ctx)
{
    unsigned char *fp = (unsigned char *)((ucontext_t *)ctx)->uc_mcontext.fpregs;
    unsigned *sw = (unsigned *)(fp + SW);
    unsigned long *header = (unsigned long *)(fp + HEADER);
    size = sw[4];
    sigaddset(&((ucontext_t *)ctx)->uc_sigmask, SIGUSR2);
    switch (how) {
    case 1: header[2] = 0xfffffff; break;             /* reserved */
    case 2: header[0] |= 1ul << 62; break;            /* a feature that no CPU has */
    case 3: header[1] = 1; break;                     /* compacted, but how? */
    case 4: *(unsigned *)(fp + MXCSR) |= 1u << 31; break;
    case 5: sw[0] = 0; header[2] = 1; break;          /* no first mark: the header does not count */
    case 6: memset(fp + size, 0, 4); break;           /* no end mark */
    case 7: sw[4] = 100; break;                       /* smaller than x87 and SSE */
    case 8: sw[4] = size * 64; break;
    case 9: sw[1] = 600; break;                       /* the whole is smaller than its part */
    case 10: ((ucontext_t *)ctx)->uc_mcontext.fpregs = NULL; break;
    case 11: ((ucontext_t *)ctx)->uc_mcontext.fpregs = (void *)8; break;
    case 12: *(unsigned long *)&sw[2] &= ~4ul; break; /* without the upper halves */
    }
}

static void bad(int sig, siginfo_t *si, void *ctx)
{
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    t_say("  SIGSEGV code %d usr2 %d\n", si->si_code, sigismember(&now, SIGUSR2));
}

int main(void)
{
    t_handle(SIGUSR1, spoil, 0);
    t_handle(SIGSEGV, bad, 0);
    for (how = 0; how <= 12; how++) {
        unsigned long in[4] = { 1, 2, 3, 4 }, out[4];
        long nr = SYS_tgkill, r;
        __asm__ volatile("vmovdqu %2, %%ymm5\n syscall\n vmovdqu %%ymm5, %1"
                         : "=a"(r), "=m"(out) : "m"(in), "0"(nr), "D"((long)getpid()), "S"((long)gettid()), "d"((long)SIGUSR1)
                         : "rcx", "r11", "xmm5", "memory");
        sigset_t now;
        sigprocmask(SIG_BLOCK, NULL, &now);
        t_say("%d: result %ld ymm5 %lu %lu %lu %lu usr2 %d\n", how, r, out[0], out[1], out[2], out[3], sigismember(&now, SIGUSR2));
        sigemptyset(&now);
        sigprocmask(SIG_SETMASK, &now, NULL);
    }
    return DONE();
}
