/* debug.h: a debugger that sees the application through the engine. A run with -appdebug stops before the first instruction and
 * waits for GDB (`target remote :PORT`); one with -appdebug_enable lets it connect later. The debugger sees the application's own
 * registers and memory: breakpoints and steps are analysis calls, nothing is written into the program. */
#ifndef COTTER_DEBUG_H
#define COTTER_DEBUG_H

typedef enum { DEBUG_STATUS_DISABLED, DEBUG_STATUS_UNCONNECTABLE, DEBUG_STATUS_UNCONNECTED, DEBUG_STATUS_CONNECTED } DEBUG_STATUS;
typedef enum { DEBUG_CONNECTION_TYPE_NONE, DEBUG_CONNECTION_TYPE_TCP_SERVER, DEBUG_CONNECTION_TYPE_TCP_CLIENT } DEBUG_CONNECTION_TYPE;
typedef enum {
    DEBUGGER_TYPE_UNKNOWN, DEBUGGER_TYPE_GDB, DEBUGGER_TYPE_LLDB, DEBUGGER_TYPE_IDB, DEBUGGER_TYPE_VISUAL_STUDIO_VSDBG,
    DEBUGGER_TYPE_VISUAL_STUDIO
} DEBUGGER_TYPE;
enum {
    DEBUG_MODE_OPTION_NONE = 0, DEBUG_MODE_OPTION_STOP_AT_ENTRY = 1, DEBUG_MODE_OPTION_SILENT = 2,
    DEBUG_MODE_OPTION_ALLOW_REMOTE = 4
};
typedef UINT32 DEBUG_MODE_OPTIONS;
typedef struct DEBUG_CONNECTION_INFO {
    DEBUG_CONNECTION_TYPE _type;
    BOOL _stopAtEntry;
    struct { INT32 _tcpPort; } _tcpServer;
} DEBUG_CONNECTION_INFO;
typedef struct DEBUG_MODE {
    DEBUG_CONNECTION_TYPE _type;
    DEBUG_MODE_OPTIONS _options;
    struct { const CHAR *_ip; INT32 _tcpPort; } _tcpClient;
} DEBUG_MODE;

/* ---- The connection ---- */
DEBUG_STATUS PIN_GetDebugStatus(VOID);
BOOL PIN_GetDebugConnectionInfo(DEBUG_CONNECTION_INFO *info);      /* FALSE: the debugger is not expected to connect */
DEBUGGER_TYPE PIN_GetDebuggerType(VOID);
/* Before PIN_StartProgram; overrides -appdebug. FALSE: not possible. */
BOOL PIN_SetDebugMode(const DEBUG_MODE *mode);
/* timeout in milliseconds, 0: for ever. FALSE: none has, or none can. After the start of the program. */
BOOL PIN_WaitForDebuggerToConnect(unsigned timeout);
BOOL PIN_IsThreadStoppedInDebugger(THREADID tid);

/* ---- Events ---- */
typedef enum { DEBUGGING_EVENT_BREAKPOINT, DEBUGGING_EVENT_SINGLE_STEP, DEBUGGING_EVENT_ASYNC_BREAK } DEBUGGING_EVENT;
/* Before the debugger hears of it. TRUE: it shall; FALSE: the thread goes on with ctxt, which may have been changed. */
typedef BOOL (*INTERCEPT_DEBUGGING_EVENT_CALLBACK)(THREADID tid, DEBUGGING_EVENT event, CONTEXT *ctxt, VOID *arg);
VOID PIN_InterceptDebuggingEvent(DEBUGGING_EVENT event, INTERCEPT_DEBUGGING_EVENT_CALLBACK fun, VOID *arg);
/* The debugger sets (insert) or removes a breakpoint. TRUE: the tool takes care of it itself. */
typedef BOOL (*DEBUG_BREAKPOINT_CALLBACK)(ADDRINT addr, UINT size, BOOL insert, VOID *v);
PIN_CALLBACK PIN_AddBreakpointHandler(DEBUG_BREAKPOINT_CALLBACK fun, VOID *val);
VOID PIN_RemoveBreakpointHandler(DEBUG_BREAKPOINT_CALLBACK fun);
VOID PIN_ResetBreakpointAt(ADDRINT addr);       /* from now on it is an ordinary one */

/* ---- Registers that the tool emulates ---- */
typedef struct DEBUGGER_REG_DESCRIPTION {
    REG _pinReg;                                /* an application register, or REG_INVALID_: */
    unsigned _toolRegId;                        /* the tool's, by this number */
    unsigned _widthInBits;
    const char *_name;
    int _gccId;                                 /* the compiler's number; -1: it has none */
} DEBUGGER_REG_DESCRIPTION;
typedef VOID (*GET_EMULATED_REGISTER_CALLBACK)(unsigned toolRegId, THREADID tid, CONTEXT *ctxt, VOID *data, VOID *v);
typedef VOID (*SET_EMULATED_REGISTER_CALLBACK)(unsigned toolRegId, THREADID tid, CONTEXT *ctxt, const VOID *data, VOID *v);
/* The debugger sees these registers, in this order, and no others. describe(fun, "target.xml", ...) writes up to `size` bytes of the XML
 * that describes them and gives its length; it may be 0: then it is made from the list. */
typedef USIZE (*COTTER_DESCRIBE)(VOID *fun, const char *name, USIZE size, VOID *buf, VOID *v);
VOID COTTER_AddDebuggerRegisterEmulator(unsigned numRegisters, const DEBUGGER_REG_DESCRIPTION *registers,
                                        GET_EMULATED_REGISTER_CALLBACK getFun, SET_EMULATED_REGISTER_CALLBACK setFun,
                                        COTTER_DESCRIBE describe, VOID *fun, VOID *val);

/* What the debugger's `monitor TEXT` leads to: call(fun, ..., say) for each in turn until one returns TRUE. */
typedef BOOL (*COTTER_DEBUG_COMMAND)(VOID *fun, THREADID tid, CONTEXT *ctxt, const char *cmd, VOID (*say)(const char *), VOID *v);
PIN_CALLBACK COTTER_AddDebugInterpreter(COTTER_DEBUG_COMMAND call, VOID *fun, VOID *val);
VOID COTTER_RemoveDebugInterpreter(VOID *fun);
#ifndef __cplusplus
/* Before PIN_StartProgram; once. */
typedef USIZE (*GET_TARGET_DESCRIPTION_CALLBACK)(const char *name, USIZE size, VOID *buf, VOID *v);
VOID PIN_AddDebuggerRegisterEmulator(unsigned numRegisters, const DEBUGGER_REG_DESCRIPTION *registers,
                                     GET_EMULATED_REGISTER_CALLBACK getFun, SET_EMULATED_REGISTER_CALLBACK setFun,
                                     GET_TARGET_DESCRIPTION_CALLBACK getDescriptionFun, VOID *val);
/* Commands of the debugger (`monitor TEXT`): the first handler that returns TRUE has answered. */
typedef BOOL (*DEBUG_INTERPRETER_CALLBACK)(THREADID tid, CONTEXT *ctxt, const char *cmd, const char **reply, VOID *v);
PIN_CALLBACK PIN_AddDebugInterpreter(DEBUG_INTERPRETER_CALLBACK fun, VOID *val);
VOID PIN_RemoveDebugInterpreter(DEBUG_INTERPRETER_CALLBACK fun);
/* Stop in the debugger at ctxt with a message, then go on there; without a debugger, go on at once. Does not return. From analysis routines. */
VOID PIN_ApplicationBreakpoint(const CONTEXT *ctxt, THREADID tid, BOOL waitIfNoDebugger, const char *msg) __attribute__((noreturn));
/* Of threads that PIN_StopApplicationThreads stopped: one that the debugger has not been told of. */
BOOL PIN_GetStoppedThreadPendingToolBreakpoint(THREADID tid, const char **msg);
BOOL PIN_ChangePendingToolBreakpointOnStoppedThread(THREADID tid, BOOL squash, const char *msg);
#endif
#endif
