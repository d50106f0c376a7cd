/* glibc-syscalls.h: where the C library of Pin 3 has the numbers of system calls. */
#include <sys/syscall.h>
