/* arch_syscalls.h: system calls that only this CPU has. */
#ifndef X86_ARCH_SYSCALLS_H
#define X86_ARCH_SYSCALLS_H
#include "engine/emulate/syscall.h"
enum { ARCH_AUDIT = (int)0xc000003e };           /* how the kernel names this CPU to seccomp filters and in SIGSYS */
syscall_fn x86_sys_arch_prctl;
#define ARCH_SYSCALLS SYSCALL(arch_prctl, x86_sys_arch_prctl)
#endif
