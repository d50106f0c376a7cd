/* syscalls.h: what the kernel reads and writes of the heap. */
#ifndef HEAPCHECK_SYSCALLS_H
#define HEAPCHECK_SYSCALLS_H
VOID syscalls_begin(VOID);                      /* in main() */
BOOL syscalls_is_exec(VOID);                    /* is the calling thread in an exec? */
#endif
