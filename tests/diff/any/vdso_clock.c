/* The vdso's clocks: clock_gettime of all kinds, gettimeofday, time, getcpu; monotonic and close to the system call. */
#include "t.h"
#include <sched.h>
#include <sys/time.h>

int main(void)
{
    u64 last = 0;
    int back = 0;
    for (int i = 0; i < 20000; i++) {
        u64 now = t_now_ns();
        back += now < last;
        last = now;
    }
    struct timespec a, b;
    clock_gettime(CLOCK_REALTIME, &a);
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &b);
    struct timeval tv;
    gettimeofday(&tv, NULL);
    printf("back %d close %d %d %d\n", back, labs(a.tv_sec - b.tv_sec) <= 1, labs(tv.tv_sec - a.tv_sec) <= 1,
           labs(time(NULL) - a.tv_sec) <= 1);
    clock_getres(CLOCK_MONOTONIC, &a);
    printf("res %ld coarse %d cpu %d\n", a.tv_nsec, clock_gettime(CLOCK_MONOTONIC_COARSE, &b), sched_getcpu() >= 0);
    return DONE();
}
