/* sys.h: raw system calls for the engine. They return a value or a negative error number; there is no errno. */
#ifndef BASE_SYS_H
#define BASE_SYS_H
#include "base/types.h"
#include "sysraw.h"

#define SYS_ARG(x) ((long)(x))
#define sys0(n) sys_raw6(n, 0, 0, 0, 0, 0, 0)
#define sys1(n, a) sys_raw6(n, SYS_ARG(a), 0, 0, 0, 0, 0)
#define sys2(n, a, b) sys_raw6(n, SYS_ARG(a), SYS_ARG(b), 0, 0, 0, 0)
#define sys3(n, a, b, c) sys_raw6(n, SYS_ARG(a), SYS_ARG(b), SYS_ARG(c), 0, 0, 0)
#define sys4(n, a, b, c, d) sys_raw6(n, SYS_ARG(a), SYS_ARG(b), SYS_ARG(c), SYS_ARG(d), 0, 0)
#define sys5(n, a, b, c, d, e) sys_raw6(n, SYS_ARG(a), SYS_ARG(b), SYS_ARG(c), SYS_ARG(d), SYS_ARG(e), 0)
#define sys6(n, a, b, c, d, e, f) \
    sys_raw6(n, SYS_ARG(a), SYS_ARG(b), SYS_ARG(c), SYS_ARG(d), SYS_ARG(e), SYS_ARG(f))

static inline bool sys_failed(long r) { return (unsigned long)r > -4096ul; }

/* Error numbers, protections and flags that the engine speaks of. Same on every Linux this engine targets. */
enum { E_PERM = 1, E_NOENT = 2, E_SRCH = 3, E_INTR = 4, E_2BIG = 7, E_NOEXEC = 8, E_BADF = 9, E_AGAIN = 11, E_NOMEM = 12, E_ACCES = 13,
       E_FAULT = 14, E_BUSY = 16, E_EXIST = 17, E_INVAL = 22, E_NOSPC = 28, E_NOSYS = 38, E_OPNOTSUPP = 95, E_TIMEDOUT = 110 };
enum { K_PROT_READ = 1, K_PROT_WRITE = 2, K_PROT_EXEC = 4 };
enum { K_MAP_SHARED = 1, K_MAP_PRIVATE = 2, K_MAP_FIXED = 0x10, K_MAP_ANONYMOUS = 0x20, K_MAP_NORESERVE = 0x4000,
       K_MAP_FIXED_NOREPLACE = 0x100000 };

enum { K_MADV_DONTNEED = 4, K_MADV_HUGEPAGE = 14, K_MADV_POPULATE_WRITE = 23, K_MADV_COLLAPSE = 25 };

static inline long sys_mmap_fixed(addr_t at, size_t size, int prot)
{
    return sys6(__NR_mmap, at, size, prot,
                K_MAP_PRIVATE | K_MAP_ANONYMOUS | K_MAP_NORESERVE | K_MAP_FIXED_NOREPLACE, -1, 0);
}
static inline int sys_gettid(void) { return (int)sys0(__NR_gettid); }
static inline int sys_getpid(void) { return (int)sys0(__NR_getpid); }
#endif
