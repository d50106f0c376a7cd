/* syscalls.h: names of system calls, and what their arguments mean. */
#ifndef TOOLS_SYSCALLS_H
#define TOOLS_SYSCALLS_H

const char *syscall_name(UINT64 number);        /* "syscall_999" when it has none; until the thread's next call */
INT64 syscall_number(const char *name);         /* -1: none */
/* Of names with * and ?, separated by commas, the first that no system call has; NULL: all mean something. To be freed. */
char *syscall_unknown(const char *names);
INT64 syscall_count(VOID);                      /* numbers below it may have names */

/* A letter for each argument; "" when nothing is known. See syscall_args.c. */
const char *syscall_spec(UINT64 number);

/* Writes the arguments, like "AT_FDCWD, \"/etc/passwd\", O_RDONLY". Buffers that the call fills are shown when it is over:
 * `result` is NULL before. */
VOID syscall_write_args(FILE *f, UINT64 number, const ADDRINT *arg, const INT64 *result);
VOID syscall_write_result(FILE *f, UINT64 number, INT64 result, INT32 error);   /* "3", "-1 ENOENT (No such file ...)" */
/* The nth argument if it is a path: TRUE and its text. */
bool syscall_path(UINT64 number, const ADDRINT *arg, int n, char *path, size_t room);
#endif
