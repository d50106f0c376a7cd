/* debugger.h: a debugger that sees the application through the engine: GDB's remote protocol over TCP.
 *
 * debug.c        the connection: mode, status, the thread that serves it
 * debug_stop.c   threads stop and go on; breakpoints and single steps are analysis calls, so memory stays as it is
 * debug_regs.c   the registers as the debugger counts them
 * debug_packet.c what the debugger asks */
#ifndef API_DEBUGGER_H
#define API_DEBUGGER_H
#include "api/api.h"

/* ---- debug.c ---- */
int debug_switch(int left, char **word, const char *name);      /* of the command line: how many words it takes; 0: none of these */
void debug_start(void);                         /* before the application starts; nothing unless the mode says so */
bool debug_is_on(void);
bool debug_is_connected(void);
void debug_ends(int status);                    /* the process is about to end */
void debug_forked(void);                        /* in the child: the debugger stays with the parent */
void debug_wake(void);                          /* the server: look for events */

/* ---- debug_stop.c ---- */
enum stop_reason { STOP_NONE, STOP_BREAKPOINT, STOP_STEP, STOP_SIGNAL, STOP_TOOL, STOP_ASYNC };
struct stop { enum stop_reason reason; THREADID tid; int signal; };

void debug_apply(const struct view *v);         /* code.c: to the trace that is being shown */
bool debug_signal(struct thread *t, const struct pending *p);   /* false: the debugger keeps it from the application */
int debug_last_signal(void);                    /* that went to the application; 0: none did */
void debug_stop_at_first(void);                 /* before the first instruction */
NORETURN void debug_tool_stop(const CONTEXT *c, THREADID tid, const char *msg);

/* The server's side. */
bool debug_next_stop(struct stop *s);           /* an event that the debugger has not seen; all threads are at rest then */
void debug_stop_all(void);
bool debug_all_stopped(void);
CONTEXT *debug_context(THREADID tid, bool *is_writable);         /* of a stopped thread; NULL: there is no such thread */
const char *debug_message(THREADID tid);        /* of STOP_TOOL */
struct resume { bool goes, steps; int signal; };
void debug_resume(const struct resume *how);    /* by thread number, PIN_MAX_THREADS of them */
bool debug_break_at(addr_t at, u32 size, bool is_set);           /* false: too many */
void debug_drop_breakpoints(void);
u64 debug_passed_signals(void);
void debug_pass_signals(u64 set);               /* those that go to the application without a stop */
bool debug_is_intercepted(DEBUGGING_EVENT e, THREADID tid, CONTEXT *c);      /* the tool keeps it from the debugger */

/* ---- debug_regs.c ---- */
const char *debug_target_xml(void);
u32 debug_n_regs(void);
u32 debug_reg_size(u32 n);
void debug_reg_read(u32 n, THREADID tid, CONTEXT *c, u8 *to);
void debug_reg_write(u32 n, THREADID tid, CONTEXT *c, const u8 *from);

/* ---- debug_packet.c: one connection ---- */
void debug_serve(int fd, int events);           /* until it ends; `events` can be read when debug_wake was called */
void debug_say_end(int fd, int status, bool by_signal);
#endif
