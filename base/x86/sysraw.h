/* sysraw.h: how this CPU asks the kernel. The only place outside arch/ that knows an instruction. */
#ifndef BASE_SYSRAW_H
#define BASE_SYSRAW_H
#include <asm/unistd.h>     /* numbers only */
#ifndef __NR_mseal
#define __NR_mseal 462      /* younger than the headers of Debian 12 */
#endif

static inline long sys_raw6(long n, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static inline unsigned long long clock_ticks(void)
{
    unsigned lo, hi;
    __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
    return (unsigned long long)hi << 32 | lo;
}

static inline void cpu_relax(void) { __asm__ volatile("pause"); }
#endif
