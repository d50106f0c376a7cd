/* seccomp.h: the program is about to forbid system calls. If that hits the engine, a line says so. */
#ifndef EMULATE_SECCOMP_H
#define EMULATE_SECCOMP_H
#include "base/types.h"

void seccomp_filter(addr_t program);       /* the program's struct sock_fprog */
void seccomp_strict(void);
#endif
