/* probe.h: probe mode. The application runs natively; a jump at the beginning of a routine leads to the tool.
 *
 * PIN_StartProgramProbed instead of PIN_StartProgram; image callbacks then place probes. What has no meaning there (INS, TRACE and
 * thread callbacks, Fini, system calls, signals) is not called. The tool's routines run on the application's stack; they
 * may be interrupted by a signal handler of the application, and come back to the tool from there. The tool's exit handlers and static
 * destructors run when the program calls exit or _exit. See docs/probe.md. */
#ifndef COTTER_PROBE_H
#define COTTER_PROBE_H

/* Or-ed. Default: refuse what is not surely safe. */
typedef enum {
    PROBE_MODE_DEFAULT = 0,
    PROBE_MODE_ALLOW_RELOCATION = 1,                /* the whole routine may be moved; at the load of its image only */
    PROBE_MODE_ALLOW_POTENTIAL_BRANCH_TARGET = 2    /* what only seems to be a branch target does not count */
} PROBE_MODE;
typedef enum {
    ATTACH_INITIATED, ATTACH_FAILED_DETACH          /* not detached, or not yet */
} ATTACH_STATUS;
typedef VOID (*DETACH_PROBED_CALLBACK)(VOID *v);
typedef VOID (*ATTACH_PROBED_CALLBACK)(VOID *v);
typedef VOID (*THREAD_ATTACH_PROBED_CALLBACK)(VOID *sigmask, VOID *v);
typedef VOID (*THREAD_DETACH_PROBED_CALLBACK)(VOID *v);
typedef VOID (*FORK_PROBE_MODE_CALLBACK)(UINT32 childPid, VOID *v);

VOID PIN_StartProgramProbed(VOID) __attribute__((noreturn));

/* ---- Is it possible? Why not, is in the log (cotter -v). ---- */
BOOL RTN_IsSafeForProbedInsertion(RTN rtn);
BOOL RTN_IsSafeForProbedInsertionEx(RTN rtn, PROBE_MODE mode);
BOOL RTN_IsSafeForProbedReplacement(RTN rtn);
BOOL RTN_IsSafeForProbedReplacementEx(RTN rtn, PROBE_MODE mode);
BOOL PIN_IsSafeForProbedInsertion(ADDRINT addr);

/* ---- Replacing: gives a function that does what the routine did, to be called like any other; NULL: refused ---- */
AFUNPTR RTN_ReplaceProbed(RTN rtn, AFUNPTR fun);
AFUNPTR RTN_ReplaceProbedEx(RTN rtn, PROBE_MODE mode, AFUNPTR fun);
/* With arguments of your choice; IARG_PROTOTYPE must be among them. */
AFUNPTR RTN_ReplaceSignatureProbed(RTN rtn, AFUNPTR fun, ...);
AFUNPTR RTN_ReplaceSignatureProbedEx(RTN rtn, PROBE_MODE mode, AFUNPTR fun, ...);

/* ---- Calls before a routine (IPOINT_BEFORE), or when it has returned (IPOINT_AFTER, with IARG_PROTOTYPE); FALSE: refused.
 * Not after routines that return twice (setjmp, vfork). Not made when one is left by longjmp or by an exception. ---- */
BOOL RTN_InsertCallProbed(RTN rtn, IPOINT action, AFUNPTR fun, ...);
BOOL RTN_InsertCallProbedEx(RTN rtn, IPOINT action, PROBE_MODE mode, AFUNPTR fun, ...);
/* Before the instruction at this address. */
BOOL PIN_InsertCallProbed(ADDRINT addr, AFUNPTR fun, ...);

/* ---- A bare jump from one address to another: in the tool, or in the application. At any time, from any thread ---- */
BOOL PIN_InsertProbe(ADDRINT from, ADDRINT to);
BOOL PIN_RemoveProbe(ADDRINT from);

/* ---- Going, and coming back: from any routine of the tool ---- */
VOID PIN_DetachProbed(VOID);                        /* all probes are gone when it returns, the callbacks have run */
PIN_CALLBACK PIN_AddDetachFunctionProbed(DETACH_PROBED_CALLBACK fun, VOID *val);
/* After a detach: `fun` registers callbacks; those for images then see all that are loaded. */
ATTACH_STATUS PIN_AttachProbed(ATTACH_PROBED_CALLBACK fun, VOID *val);

/* On each thread of the application that is there at an attach, when the probes are placed (sigmask: its signal mask, a sigset_t,
 * which may be changed); at a detach, before they are removed. A thread is called away from whatever it does, unless it is in the tool's
 * own code: for that it has a second to come out. */
PIN_CALLBACK PIN_AddThreadAttachProbedFunction(THREAD_ATTACH_PROBED_CALLBACK fun, VOID *val);
PIN_CALLBACK PIN_AddThreadDetachProbedFunction(THREAD_DETACH_PROBED_CALLBACK fun, VOID *val);

/* Around the program's fork; its vfork becomes a fork. childPid: in the parent afterwards, else 0. */
PIN_CALLBACK PIN_AddForkFunctionProbed(FPOINT point, FORK_PROBE_MODE_CALLBACK fun, VOID *val);
#endif
