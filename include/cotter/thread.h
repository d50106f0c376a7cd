/* thread.h: threads of the application as a tool sees them, and the tool's data for each.
 *
 * A THREADID is a small number from 0 (the initial thread) that is used again when its thread has ended; a PIN_THREAD_UID
 * never is. */
#ifndef COTTER_THREAD_H
#define COTTER_THREAD_H

/* On the new thread, before its first instruction; the context may be changed. Also for the initial thread. Serialised. */
PIN_CALLBACK PIN_AddThreadStartFunction(THREAD_START_CALLBACK fun, VOID *val);
/* When it ends, with its exit status; for threads that live at the end of the process on the thread that ends it. */
PIN_CALLBACK PIN_AddThreadFiniFunction(THREAD_FINI_CALLBACK fun, VOID *val);

THREADID PIN_ThreadId(VOID);
PIN_THREAD_UID PIN_ThreadUid(VOID);
OS_THREAD_ID PIN_GetTid(VOID);
OS_THREAD_ID PIN_GetParentTid(VOID);
INT PIN_GetPid(VOID);
BOOL PIN_IsApplicationThread(VOID);
VOID PIN_Sleep(UINT32 milliseconds);
VOID PIN_Yield(VOID);

/* ---- Data of the tool, one value per key and thread; NULL at first ---- */
TLS_KEY PIN_CreateThreadDataKey(DESTRUCTFUN destructor);     /* -1: all 64 are taken */
BOOL PIN_DeleteThreadDataKey(TLS_KEY key);
/* In C++ the thread may be left out: the calling one. */
VOID *PIN_GetThreadData(TLS_KEY key, THREADID tid);
BOOL PIN_SetThreadData(TLS_KEY key, const VOID *data, THREADID tid);
#endif
