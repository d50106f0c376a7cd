/* rt_int.h: shared by the files of the runtime only. */
#ifndef COTTER_RT_INT_H
#define COTTER_RT_INT_H
#include "base/lock.h"
#include "base/sys.h"
#include "loader/rt.h"

/* Address space of the tool's libc (rt_space.c). Callers hold rt_space_lock. */
extern struct lock rt_space_lock;
addr_t space_take_any(size_t size);                 /* 0: no room */
bool space_take_at(addr_t at, size_t size);         /* false: part of it is in use */
void space_claim(addr_t at, size_t size);           /* somebody mapped there without asking */
void space_give(addr_t at, size_t size);            /* what is free already stays free */

/* A raw result as the libc's callers want it. The first calls come before TLS, and with it errno, exists. */
long rt_result(long raw);

/* One line on stderr, from anywhere. */
void rt_say(const char *line);

/* rt_handoff.c: the launcher's code is no longer needed. Before the constructors of the tool. */
void rt_handoff_begin(void);

/* rt_thread.c: make the libc identity of the only thread of a forked child right. */
void rt_thread_forked(void);        /* inside fork(), right after the system call */
void rt_fork_child(void);           /* after fork() */

/* All symbols of a replaced libc member must be defined, or the linker takes the member too and reports duplicates. */
#define ALIAS(name, target) extern __typeof__(target) name __attribute__((alias(#target), visibility("default")))
#define PUBLIC __attribute__((visibility("default")))
#endif
