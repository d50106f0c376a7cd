/* api.h: shared by the files of the tool interface. They check what a tool asks for and turn it into what the engine
 * understands (engine/jit/instrument.h, engine/hooks.h). */
#ifndef API_API_H
#define API_API_H
#include "api/xed.h"
#include "arch/arch.h"
#include "engine/client.h"
#include "engine/dispatch/dispatch.h"
#include "engine/hooks.h"
#include "engine/jit/instrument.h"
#include "engine/thread.h"
#include "pin.h"

/* ---- callback.c: what the tool registered, each kind in its order ---- */
enum callback_kind {
    CB_INS, CB_TRACE, CB_RTN, CB_IMG, CB_IMG_UNLOAD, CB_FINI, CB_PREPARE_FINI, CB_APP_START, CB_DETACH, CB_THREAD_ATTACH,
    CB_THREAD_DETACH, CB_THREAD_START,
    CB_THREAD_FINI, CB_SYSCALL_ENTRY, CB_SYSCALL_EXIT, CB_CONTEXT_CHANGE, CB_INTERRUPTION, CB_FORK_BEFORE, CB_FORK_PARENT, CB_FORK_CHILD,
    CB_SMC, CB_FINI_UNLOCKED, CB_INTERNAL_EXCEPTION, CB_FOLLOW_CHILD, CB_CACHE_INIT, CB_CACHE_BLOCK, CB_CACHE_FULL,
    CB_CACHE_FLUSHED, CB_CACHE_ENTERED, CB_CACHE_EXITED, CB_TRACE_INSERTED, CB_TRACE_LINKED, CB_TRACE_UNLINKED,
    CB_TRACE_INVALIDATED, CB_DETACH_PROBED, CB_THREAD_ATTACH_PROBED, CB_THREAD_DETACH_PROBED, CB_FORK_PROBED_BEFORE, CB_FORK_PROBED_PARENT, CB_FORK_PROBED_CHILD, N_CALLBACKS
};
struct COTTER_CALLBACK {
    struct COTTER_CALLBACK *next;
    INT32 order;
    enum callback_kind kind;
    union {
        VOID *fun;
        INS_INSTRUMENT_CALLBACK ins;
        TRACE_INSTRUMENT_CALLBACK trace;
        FINI_CALLBACK fini;
        THREAD_ATTACH_CALLBACK thread_attach;
        THREAD_DETACH_CALLBACK thread_detach;
        THREAD_START_CALLBACK thread_start;
        THREAD_FINI_CALLBACK thread_fini;
        SYSCALL_ENTRY_CALLBACK syscall;
        CONTEXT_CHANGE_CALLBACK context_change;
        COTTER_INTERRUPTION_CALLBACK interruption;
        INTERNAL_EXCEPTION_CALLBACK internal_exception;
        FORK_CALLBACK fork;
        APPLICATION_START_CALLBACK plain;       /* and others that get nothing but their own value */
        IMAGECALLBACK img;
        RTN_INSTRUMENT_CALLBACK rtn;
        SMC_CALLBACK smc;
        FOLLOW_CHILD_PROCESS_CALLBACK follow;
        FORK_PROBE_MODE_CALLBACK fork_probed;
        THREAD_ATTACH_PROBED_CALLBACK thread_attach_probed;
        CODECACHE_NOARG_CALLBACK cache_plain;
        CODECACHE_CACHEBLOCK_CALLBACK cache_block;
        CODECACHE_FULL_CALLBACK cache_full;
        CODECACHE_ENTEREXIT_CALLBACK cache_crossed;
        CODECACHE_LINKED_CALLBACK cache_link;
        CODECACHE_TRACEINVALIDATED_CALLBACK cache_invalidated;
    };
    VOID *val;
};
extern struct COTTER_CALLBACK *callbacks[N_CALLBACKS];
PIN_CALLBACK callback_add(enum callback_kind kind, VOID *fun, VOID *val);
#define FOR_EACH_CALLBACK(c, kind) for (struct COTTER_CALLBACK *c = callbacks[kind]; c; c = c->next)

/* ---- error.c: the tool's mistakes: one line, then the end ---- */
void api_fatal(const char *fmt, ...) NORETURN PRINTF_LIKE(1, 2);
void api_misuse(const char *fmt, ...) NORETURN PRINTF_LIKE(1, 2);    /* and where in the tool, which the words do not say */
void context_execute(const CONTEXT *c) __attribute__((noreturn));   /* PIN_ExecuteAt, from anywhere */
void not_in_probe_mode(const char *function);   /* there it is the tool's mistake */

/* ---- code.c: the trace that callbacks look at ---- */
struct COTTER_TRACE { u32 first, last; };       /* instructions; a trace of the engine may hold several of the tool's */
bool blind_is(const void *fn);                  /* blind.c */
void code_show(const struct view *v);           /* hooks.instrument */
void code_start_instrumenting(void);            /* something was asked for: set the hook */
const struct insn *code_insn(INS ins);
const struct xv_insn *code_xed(INS ins);
bool code_is_shown(void);                       /* an instrumentation callback is running: the cache lock is held */
/* Around a callback that runs under the cache lock: v is looked at, as in instrumentation callbacks; it may be NULL. */
void code_begin(const struct view *v);
void code_end(void);
u32 code_n_traces(void);                        /* of the tool's, in the view */
TRACE code_trace(u32 k);
u32 code_n_insns(void);
INS code_ins(u32 i);                            /* of the view */
void code_lock(void);                           /* the cache lock, unless a callback that looks at code holds it */
void code_unlock(void);
bool code_is_of_routine(INS ins);               /* of an open routine, not of a trace */
u32 code_index(INS ins);                        /* in the trace of the engine */

/* ---- iarg.c: argument lists ---- */
struct iargs {
    INS ins;                                    /* at which the call is inserted */
    enum point point;
    const char *function;                       /* for messages */
    const char *file;
    u32 line;
    addr_t address;                             /* of a routine, when there is no instruction */
    struct list_reader *reader;                 /* where the list is being read */
    bool is_record;                             /* a buffer record: an offset follows each argument */
    u32 n;
    s32 order;
    bool returns, preserves, returns_float, exposes;
    bool is_probe, has_prototype;               /* a call of probe mode; IARG_PROTOTYPE was there */
    struct reg_id result;
    struct arg arg[MAX_CALL_ARGS];              /* n of them have been set */
};
/* At an instruction. Tools insert many calls: what is large is not cleared. */
static inline void iargs_begin(struct iargs *p, const char *function, INS ins, enum point point)
{
    __builtin_memset(p, 0, offsetof(struct iargs, arg));
    p->ins = ins;
    p->point = point;
    p->function = function;
    p->order = CALL_ORDER_DEFAULT;
}
void iargs_parse(struct iargs *p, va_list ap);
/* The call they describe; room for n arguments from `alloc`, or malloc'ed when that is NULL. */
struct call *iargs_call(const struct iargs *p, AFUNPTR fun, u32 flags, struct call *(*alloc)(u32 n));

/* ---- insert.c ---- */
void insert_made(INS ins, const struct iargs *p, AFUNPTR fun, u32 flags);      /* a call whose arguments have been made */
bool insert_is_never(INS ins, IPOINT p);                             /* the point exists, but nothing ever gets there */
u32 insert_then_flags(INS ins);                                      /* of a Then after an If that was just inserted */
enum point insert_point(const char *function, INS ins, IPOINT p);    /* a fatal error if the instruction has none such */

/* ---- reg.c ---- */
struct reg_id reg_to_id(REG reg);               /* file RF_NONE: no tool can touch it */
enum { STATE_YMM = 0x6, STATE_ZMM = 0xe6 };     /* parts of the extended state */
bool reg_has_state(u32 parts);                  /* does the CPU have them, and the kernel save them? */

/* ---- context.c: between a CONTEXT and a thread whose registers are stored ---- */
void context_take(CONTEXT *c, struct thread *t, bool is_const);
void context_give(CONTEXT *c, struct thread *t);

/* ---- thread.c ---- */
void thread_begins(struct thread *t);           /* hooks.thread_start */
void thread_attaches(struct thread *t);         /* hooks.thread_attach */
void thread_all_detach(void);                   /* all threads are at rest */
void thread_ends(struct thread *t, int status);
void thread_all_end(int status);                /* those that still live */
void thread_only_survivor(struct thread *t);    /* in a forked child */
struct thread *thread_by_id(THREADID tid);      /* of the application; NULL: none */
PIN_THREAD_UID thread_adopt(THREADID tid);      /* a thread of the tool's own */
void thread_disown(THREADID tid);

/* ---- internal.c ---- */
THREADID internal_id(void);                     /* of the calling thread; INVALID_THREADID: it is the application's */
void internal_start(void);                      /* they may run from now on */

/* ---- start.c ---- */
bool may_run_at_once(PIN_CALLBACK_TYPE type);

/* ---- syscall.c, signal.c, process.c: hooks of the same meaning ---- */
void syscall_begins(struct thread *t, int kind);
void syscall_ends(struct thread *t, int kind);
void thread_interrupted(struct thread *t);
void context_changes(struct thread *t, int reason, struct arch_context *from, int info);
bool signal_comes(struct thread *t, const struct pending *p, bool has_handler);
void signals_start(struct thread *t);
bool tool_faults(struct thread *t, int sig, const struct k_siginfo *info, struct k_ucontext *uc);
void process_forks(struct thread *t, int when);
bool process_detaches(void);
bool process_follows(struct exec_child *c);

/* ---- codecache.c ---- */
void codecache_start(void);                     /* set the hooks that the tool's callbacks need */
void codecache_begins(void);                    /* the application is about to start */

/* ---- report.c ---- */
void streams_init(void);

/* ---- knob.c ---- */
BOOL knob_parse(int argc, char **argv);
BOOL knob_help(int argc, char **argv);          /* without a program: TRUE if help was asked for, and shown */
#endif
