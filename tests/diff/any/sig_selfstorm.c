/* Thousands of signals that the program sends to itself inside a computation: each arrives before the call returns. */
#include "t.h"

static volatile int hits;
static void handler(int signo, siginfo_t *si, void *ctx) { hits++; }

int main(void)
{
    t_handle(SIGUSR1, handler, 0);
    u64 sum = 0, s = 1;
    int late = 0;
    for (int i = 0; i < 3000; i++) {
        int before = hits;
        if (i & 1)
            syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1);
        else
            syscall(SYS_kill, getpid(), SIGUSR1);
        late += hits != before + 1;
        sum = sum * 31 + t_random(&s);
    }
    printf("%016llx %d late %d\n", (unsigned long long)sum, hits, late);
    return DONE();
}
