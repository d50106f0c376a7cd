/* native.h: probe mode: the application runs natively; routines with probes lead to the tool and back. */
#ifndef ENGINE_NATIVE_H
#define ENGINE_NATIVE_H
#include "arch/native.h"

/* A routine with a probe. Lists only grow, so running threads read them without a lock. */
struct native_probe {
    addr_t at;
    const void *original;                       /* what the routine did */
    struct call *before, *after;                /* in their order */
    struct call *replacement;                   /* with arguments of the tool's choice */
    bool returns_float;                         /* and a floating-point result */
    bool uses_vectors;                          /* a routine of the tool may change vector registers */
};
void native_add(struct call **list, struct call *c);

bool native_is_on(void);
struct thread;
struct handoff;

/* The start: engine_start's counterpart. native_start prepares; the caller converts the planted ELF's code and runs
 * callbacks; native_run does not return. */
void native_start(struct handoff *h);
void native_run(void) NORETURN;
/* A launcher may ask for the end from now on; `leave` then runs on a thread of its own: probes removed, last words said. */
void native_may_leave(void (*leave)(void));
void native_ferry(struct thread *me) NORETURN;
void native_end_helper(void) NORETURN;          /* attached to a running process: its threads run already */

/* ---- threads (native_thread.c): made known when they first come ---- */
void native_thread_begin(void);                 /* from a stub: the calling thread's tool data is not in place */
void native_threads_init(void);
void native_forked(void);                       /* in the child: only the caller is left, nobody holds a lock */

struct thread *native_thread_new(void);         /* with data of its own, on nobody's list */

/* ---- return addresses (native_return.c) ---- */
void native_tell_returns(struct handoff *h);    /* which are exchanged: for who puts them back while all threads stand still */
/* The routine whose return address is in *slot has calls behind it. False: no room, they are not made. */
bool native_catch_return(addr_t *slot, struct native_probe *p);
/* It has returned: where to go on; *p: whose calls to make. */
addr_t native_returned(addr_t *slot, struct native_probe **p);
/* Somebody is about to walk the stack from sp on and must find the original return addresses; it is over, at sp. */
void native_show_returns(addr_t sp);
void native_catch_again(addr_t sp);
#endif
