/* tracee.h: the threads of a running process, stopped by ptrace.
 *
 * They are seized, not attached to: no signal is sent, and when this process dies they go on by themselves. */
#ifndef LAUNCHER_TRACEE_H
#define LAUNCHER_TRACEE_H
#include "launcher/incall.h"
#include "launcher/remote.h"
#include <stdbool.h>

struct tracee {
    pid_t tid;
    bool is_stopped;
    bool in_call;                       /* in a system call that the kernel restarts when it goes on */
    struct incall call;
    int rank;                           /* who goes on first: see tracee.c */
    struct remote at;                   /* its registers and mask when it stopped; for remote calls */
};

struct tracees {
    pid_t pid;
    uint64_t vdso;
    struct tracee *list;                /* by thread id; the process's first thread is first while it lives */
    int n, room;
    pid_t spare;                        /* traced, too, but not on the list */
    int64_t stopped_us;                 /* when the first of all was told to stop */
};

enum stop_result { STOP_DONE, STOP_REFUSED, STOP_TIMEOUT, STOP_GONE };

/* Stop every thread but `spare`, also those that are created meanwhile. TIMEOUT: *who is a thread that does not come to a
 * stop (it waits for a vfork child, or for a device). REFUSED: errno tells why. Threads stay traced in any case. */
enum stop_result tracees_stop(struct tracees *s, pid_t spare, int timeout_ms, pid_t *who);
/* One thread alone, any that stops. */
enum stop_result tracees_stop_one(struct tracees *s, int timeout_ms, pid_t *who);
void tracees_resume(struct tracees *s, int i);      /* this one runs on, still traced; the next tracees_stop stops it */
void tracees_forget(struct tracees *s, int i);      /* it is not traced any more */
/* All have the registers and the mask that they are to go on with: they do. */
void tracees_let_go(struct tracees *s);
/* Let all go on as they were, and forget them; but not those that have not come to a stop yet: they do so later, and are let go
 * by tracees_serve, which is to be called now and then. */
void tracees_release(struct tracees *s);
void tracees_serve(struct tracees *s);
bool tracees_await(struct tracees *s, int timeout_ms);      /* have they come to a stop? They are not let go */

/* The next stop of a thread that was told to run: its wait status; 0: timeout, -1: it has ended. */
int tracee_wait(pid_t tid, int timeout_ms);
pid_t tracee_tracer(pid_t pid, pid_t tid);          /* who traces it; 0: nobody */
bool tracee_interrupt(pid_t tid, int timeout_ms);    /* to a stop that is no signal's; signals are passed on */
void nap_us(int us);
int64_t now_us(void);                   /* of the steady clock */
#endif
