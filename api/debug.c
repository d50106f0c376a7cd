/* debug.c: what a run without a debugger answers. */
#include "api/api.h"

DEBUG_STATUS PIN_GetDebugStatus(VOID) { return DEBUG_STATUS_DISABLED; }
DEBUGGER_TYPE PIN_GetDebuggerType(VOID) { return DEBUGGER_TYPE_UNKNOWN; }
BOOL PIN_SetDebugMode(const DEBUG_MODE *mode) { return mode->_type == DEBUG_CONNECTION_TYPE_NONE; }
BOOL PIN_WaitForDebuggerToConnect(unsigned timeout) { return FALSE; }
BOOL PIN_IsThreadStoppedInDebugger(THREADID tid) { return FALSE; }

BOOL PIN_GetDebugConnectionInfo(DEBUG_CONNECTION_INFO *info)
{
    *info = (DEBUG_CONNECTION_INFO){ ._type = DEBUG_CONNECTION_TYPE_NONE };
    return FALSE;
}

/* Waiting for a debugger that can never come would be for ever. */
VOID PIN_ApplicationBreakpoint(const CONTEXT *c, THREADID tid, BOOL wait, const char *msg)
{
    if (wait)
        api_fatal("PIN_ApplicationBreakpoint: told to wait for a debugger, but none can connect: %s", msg);
    PIN_ExecuteAt(c);
}
