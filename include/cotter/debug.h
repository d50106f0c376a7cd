/* debug.h: a debugger at the application's side of the run. This version has no such connection: the functions answer as
 * they do in a run that was not started for debugging. */
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

DEBUG_STATUS PIN_GetDebugStatus(VOID);                             /* DEBUG_STATUS_DISABLED */
BOOL PIN_GetDebugConnectionInfo(DEBUG_CONNECTION_INFO *info);      /* FALSE: there is none */
DEBUGGER_TYPE PIN_GetDebuggerType(VOID);
BOOL PIN_SetDebugMode(const DEBUG_MODE *mode);     /* FALSE, unless the mode asks for no connection */
BOOL PIN_WaitForDebuggerToConnect(unsigned timeout);               /* FALSE at once: none can */
BOOL PIN_IsThreadStoppedInDebugger(THREADID tid);
#ifndef __cplusplus
/* Stop in the debugger at ctxt with a message; without one, go on at ctxt. Does not return. From analysis routines. */
VOID PIN_ApplicationBreakpoint(const CONTEXT *ctxt, THREADID tid, BOOL waitIfNoDebugger, const char *msg) __attribute__((noreturn));
#endif
#endif
