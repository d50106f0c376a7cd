/* The signal state that a fresh program finds: dispositions, mask, pending signals, alternate stack, timers.
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "t.h"
#include <sys/time.h>

int main(void)
{
    for (int i = 1; i < 65; i++) {
        struct { void *handler; u64 flags; void *restorer; u64 mask; } k = {0};
        long r = syscall(SYS_rt_sigaction, i, NULL, &k, 8);
        if (r || k.handler || k.flags || k.mask)
            printf("signal %d: %ld %p %llx %llx\n", i, r, k.handler, (unsigned long long)k.flags,
                   (unsigned long long)k.mask);
    }
    u64 mask = 1, pending = 1;
    syscall(SYS_rt_sigprocmask, 0, NULL, &mask, 8);
    syscall(SYS_rt_sigpending, &pending, 8);
    stack_t ss;
    sigaltstack(NULL, &ss);
    printf("mask %llx pending %llx altstack %p %d %zu\n", (unsigned long long)mask, (unsigned long long)pending,
           ss.ss_sp, ss.ss_flags,
           ss.ss_size);
    for (int i = 0; i < 3; i++) {
        struct itimerval it;
        getitimer(i, &it);
        printf("timer %d %ld %ld\n", i, (long)it.it_value.tv_sec, (long)it.it_interval.tv_sec);
    }
    return DONE();
}
