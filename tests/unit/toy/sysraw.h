/* sysraw.h: how a hosted test asks the kernel: through libc, so that it runs on any machine. */
#ifndef BASE_SYSRAW_H
#define BASE_SYSRAW_H
#include <asm/unistd.h>
#ifndef __NR_mseal
#define __NR_mseal 462
#endif

long syscall(long n, ...);
int *__errno_location(void);

static inline long sys_raw6(long n, long a, long b, long c, long d, long e, long f)
{
    long r = syscall(n, a, b, c, d, e, f);
    return r == -1 ? -*__errno_location() : r;
}

static inline unsigned long long clock_ticks(void) { return 0; }
static inline void cpu_relax(void) { }
#endif
