/* signal.h: signals of the application, and faults of the tool. */
#ifndef COTTER_SIGNAL_H
#define COTTER_SIGNAL_H

/* Before the application goes on somewhere else: a signal handler begins or returns, or a signal ends the process (then
 * `to` is NULL). `to` may be changed. info: the signal. Serialised. */
PIN_CALLBACK PIN_AddContextChangeFunction(CONTEXT_CHANGE_CALLBACK fun, VOID *val);

/* When a thread has left a trace in the middle, by a fault, a signal, or because it was stopped: the trace that begins at
 * `trace`, before the instruction at `pc`; hasBegun: while that was being executed, so the calls before it were made. It is
 * executed again, if it is, from another trace. For tools that count blocks as a whole when they begin. On the thread itself,
 * with no lock held: it must not wait for other threads. */
PIN_CALLBACK COTTER_AddInterruptionFunction(COTTER_INTERRUPTION_CALLBACK fun, VOID *val);

/* Run the callbacks for context changes as if it happened now, then go on at `to`: for tools that replay a recorded run. Does not return. */
VOID PIN_ReplayContextChange(THREADID tid, const CONTEXT *from, CONTEXT *to, CONTEXT_CHANGE_REASON reason, INT32 info)
    __attribute__((noreturn));

/* ---- Exceptions ---- */
typedef enum {
    EXCEPTCLASS_NONE, EXCEPTCLASS_UNKNOWN, EXCEPTCLASS_ACCESS_FAULT, EXCEPTCLASS_INVALID_INS, EXCEPTCLASS_INT_ERROR,
    EXCEPTCLASS_FP_ERROR, EXCEPTCLASS_MULTIPLE_FP_ERROR, EXCEPTCLASS_DEBUG, EXCEPTCLASS_OS
} EXCEPTION_CLASS;
typedef enum {
    EXCEPTCODE_NONE, EXCEPTCODE_ACCESS_INVALID_ADDRESS, EXCEPTCODE_ACCESS_DENIED, EXCEPTCODE_ACCESS_INVALID_PAGE,
    EXCEPTCODE_ACCESS_MISALIGNED, EXCEPTCODE_ILLEGAL_INS, EXCEPTCODE_PRIVILEGED_INS, EXCEPTCODE_INT_DIVIDE_BY_ZERO,
    EXCEPTCODE_INT_OVERFLOW_TRAP, EXCEPTCODE_INT_BOUNDS_EXCEEDED, EXCEPTCODE_X87_DIVIDE_BY_ZERO, EXCEPTCODE_X87_OVERFLOW,
    EXCEPTCODE_X87_UNDERFLOW, EXCEPTCODE_X87_INEXACT_RESULT, EXCEPTCODE_X87_INVALID_OPERATION,
    EXCEPTCODE_X87_DENORMAL_OPERAND, EXCEPTCODE_X87_STACK_ERROR, EXCEPTCODE_SIMD_DIVIDE_BY_ZERO, EXCEPTCODE_SIMD_OVERFLOW,
    EXCEPTCODE_SIMD_UNDERFLOW, EXCEPTCODE_SIMD_INEXACT_RESULT, EXCEPTCODE_SIMD_INVALID_OPERATION,
    EXCEPTCODE_SIMD_DENORMAL_OPERAND, EXCEPTCODE_DBG_BREAKPOINT_TRAP, EXCEPTCODE_DBG_SINGLE_STEP_TRAP,
    EXCEPTCODE_RECEIVED_UNKNOWN, EXCEPTCODE_RECEIVED_ACCESS_FAULT, EXCEPTCODE_RECEIVED_AMBIGUOUS_X87,
    EXCEPTCODE_RECEIVED_AMBIGUOUS_SIMD
} EXCEPTION_CODE;
typedef enum { FAULTY_ACCESS_TYPE_UNKNOWN, FAULTY_ACCESS_READ, FAULTY_ACCESS_WRITE, FAULTY_ACCESS_EXECUTE } FAULTY_ACCESS_TYPE;
typedef enum { EHR_HANDLED, EHR_UNHANDLED, EHR_CONTINUE_SEARCH } EXCEPT_HANDLING_RESULT;
typedef struct EXCEPTION_INFO {
    EXCEPTION_CODE _code;
    ADDRINT _address;                           /* of the instruction */
    ADDRINT _access;                            /* of the data */
    FAULTY_ACCESS_TYPE _type;
    BOOL _hasAccess;
} EXCEPTION_INFO;

enum {
    FPERROR_DIVIDE_BY_ZERO = 1, FPERROR_OVERFLOW = 2, FPERROR_UNDERFLOW = 4, FPERROR_INEXACT_RESULT = 8,
    FPERROR_INVALID_OPERATION = 16, FPERROR_DENORMAL_OPERAND = 32, FPERROR_X87_STACK_ERROR = 64
};
typedef UINT32 FPERROR;

EXCEPTION_CODE PIN_GetExceptionCode(const EXCEPTION_INFO *info);
EXCEPTION_CLASS PIN_GetExceptionClass(EXCEPTION_CODE code);
ADDRINT PIN_GetExceptionAddress(const EXCEPTION_INFO *info);
VOID PIN_SetExceptionAddress(EXCEPTION_INFO *info, ADDRINT address);
BOOL PIN_GetFaultyAccessAddress(const EXCEPTION_INFO *info, ADDRINT *address);
FAULTY_ACCESS_TYPE PIN_GetFaultyAccessType(const EXCEPTION_INFO *info);
UINT32 PIN_GetFpErrorSet(const EXCEPTION_INFO *info);          /* FPERROR_... that it may have been; 0: no such error */
VOID PIN_InitExceptionInfo(EXCEPTION_INFO *info, EXCEPTION_CODE code, ADDRINT address);
VOID PIN_InitAccessFaultInfo(EXCEPTION_INFO *info, EXCEPTION_CODE code, ADDRINT address, ADDRINT access, FAULTY_ACCESS_TYPE type);
#ifndef __cplusplus
const char *PIN_ExceptionToString(const EXCEPTION_INFO *info);
#endif
/* Raise it in the application, at ctxt. From analysis routines; does not return. */
VOID PIN_RaiseException(const CONTEXT *ctxt, THREADID tid, const EXCEPTION_INFO *info) __attribute__((noreturn));

/* ---- Signals ---- */
typedef BOOL (*INTERCEPT_SIGNAL_CALLBACK)(THREADID tid, INT32 sig, CONTEXT *ctxt, BOOL hasHandler, const EXCEPTION_INFO *info,
                                          VOID *v);
/* See a signal before the application does: TRUE passes it on, FALSE drops it and goes on at the context. info is NULL
 * unless an instruction raised it. One callback per signal; NULL removes it. FALSE: not that signal. */
BOOL PIN_InterceptSignal(INT32 sig, INTERCEPT_SIGNAL_CALLBACK fun, VOID *val);
/* See it even while the application blocks it. Before the start: on all threads; later: on the calling one. */
BOOL PIN_UnblockSignal(INT32 sig, BOOL enable);

/* ---- Faults in the tool ---- */
typedef EXCEPT_HANDLING_RESULT (*INTERNAL_EXCEPTION_CALLBACK)(THREADID tid, EXCEPTION_INFO *info, PHYSICAL_CONTEXT *context, VOID *v);
PIN_CALLBACK PIN_AddInternalExceptionHandler(INTERNAL_EXCEPTION_CALLBACK fun, VOID *val);
VOID PIN_TryStart(THREADID tid, INTERNAL_EXCEPTION_CALLBACK fun, VOID *val);      /* for this thread, until PIN_TryEnd */
VOID PIN_TryEnd(THREADID tid);
ADDRINT PIN_GetPhysicalContextReg(const PHYSICAL_CONTEXT *context, REG reg);
VOID PIN_SetPhysicalContextReg(PHYSICAL_CONTEXT *context, REG reg, ADDRINT val);
VOID PIN_GetPhysicalContextFPState(const PHYSICAL_CONTEXT *context, VOID *fpstate);
VOID PIN_SetPhysicalContextFPState(PHYSICAL_CONTEXT *context, const VOID *fpstate);
#endif
