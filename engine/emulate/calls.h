/* calls.h: the handlers that syscalls.def names. */
#ifndef EMULATE_CALLS_H
#define EMULATE_CALLS_H
#include "engine/emulate/syscall.h"
syscall_fn sys_mmap, sys_munmap, sys_mprotect, sys_mremap, sys_shmat, sys_shmdt, sys_madvise, sys_mseal, sys_remap_file_pages;
syscall_fn sys_sigreturn, sys_wait_with_mask, sys_sigpending, sys_sigtimedwait, sys_signalfd;
syscall_fn sys_clone, sys_clone3, sys_fork, sys_vfork, sys_exit, sys_exit_group, sys_rseq, sys_set_tid_address;
syscall_fn sys_open, sys_openat, sys_openat2, sys_write, sys_vm_write;
syscall_fn sys_path_first, sys_path_second, sys_readlink, sys_readlinkat;
syscall_fn sys_memfd_create, sys_sendmsg, sys_sendmmsg, sys_io_uring_setup, sys_io_uring_register;
syscall_fn sys_prctl, sys_ptrace, sys_seccomp;
syscall_fn sys_close, sys_close_range, sys_dup2, sys_getdents, sys_getdents64;
/* Does the application want a SIGSYS instead of this call? It is pending then. */
bool sys_is_dispatched(struct thread *t, long nr);
#endif
