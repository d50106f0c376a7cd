/* arch_syscalls.h: the toy CPU has no system calls of its own. */
#define ARCH_SYSCALLS
enum { ARCH_AUDIT = 0 };
