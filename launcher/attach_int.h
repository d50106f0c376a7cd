/* attach_int.h: between attach.c, which tells the order of things, and its parts. */
#ifndef LAUNCHER_ATTACH_INT_H
#define LAUNCHER_ATTACH_INT_H
#include "launcher/attach.h"
#include "launcher/stack.h"
#include "launcher/steps.h"

enum { STOP_MS = 2000, POLL_US = 100 };

struct attaching {
    struct launch *l;
    struct tracees all;
    struct placement at;
    struct stack_plan plan;
    uint64_t threads, end;              /* struct handoff_thread[]; end of what is mapped first */
    struct handoff_thread *record;
    int64_t began, planted, ready;      /* times, for -v */
    pid_t helper;                       /* 0: none, or it has ended */
    bool is_mapped;
    bool has_executed;                  /* the process has replaced its program meanwhile */
};

/* ---- attach.c ---- */
/* Everything becomes what it was, and the user is told why (raw: an error number, negative, or 0). False. */
bool attach_refuse(struct attaching *a, const char *why, long raw);

/* ---- attach_plant.c ---- */
long attach_map_first(struct attaching *a, struct tracee *t);           /* by thread t, which is stopped: 0 or an error number */
bool attach_put(struct attaching *a, uint64_t to, const void *from, size_t size);
bool attach_put_image(struct attaching *a);
uint64_t attach_put_stack(struct attaching *a);                          /* its stack pointer; 0: it cannot be written */
bool attach_put_handoff(struct attaching *a);
bool attach_put_steps(struct attaching *a, uint64_t stack);

/* ---- attach_helper.c ---- */
bool attach_start_helper(struct attaching *a, struct tracee *t, uint64_t stack);     /* by thread t, which is stopped */
bool attach_watch_helper(struct attaching *a);                           /* until it is ready. False: it has ended, or the command shall */
uint32_t attach_state_of(struct attaching *a);                           /* ATTACH_...: how far it is */
bool attach_set_state(struct attaching *a, uint32_t state);
bool attach_wait_for(struct attaching *a, uint32_t state);

/* ---- attach_switch.c: all threads are stopped ---- */
bool attach_list_all(struct attaching *a);                               /* to the helper, which makes an engine thread of each */
void attach_switch_all(struct attaching *a);
#endif
