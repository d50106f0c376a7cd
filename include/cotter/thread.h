/* thread.h: threads of the application as a tool sees them, and the tool's data for each.
 *
 * A THREADID is a small number from 0 (the initial thread) that is used again when its thread has ended; a PIN_THREAD_UID
 * never is. */
#ifndef COTTER_THREAD_H
#define COTTER_THREAD_H

/* On the new thread, before its first instruction; the context may be changed. Also for the initial thread. Serialised. */
/* On each thread that was there before, when a running process is attached to (cotter -p); the thread-start functions run behind
 * it. And for each thread before the process goes on natively, all threads at rest. */
PIN_CALLBACK PIN_AddThreadAttachFunction(THREAD_ATTACH_CALLBACK fun, VOID *val);
PIN_CALLBACK PIN_AddThreadDetachFunction(THREAD_DETACH_CALLBACK fun, VOID *val);
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

/* ---- Threads of the tool's own: hidden from callbacks, never stopped with the application's ---- */
/* From main() or another such thread; begins when the application does. INVALID_THREADID: failed. */
THREADID PIN_SpawnInternalThread(ROOT_THREAD_FUNC *fun, VOID *arg, size_t stackSize, PIN_THREAD_UID *uid);
/* Ends such a thread; in an analysis routine, the application's thread that runs it, after its callbacks. */
VOID PIN_ExitThread(INT32 code) __attribute__((noreturn));
#ifdef __cplusplus
BOOL PIN_WaitForThreadTermination(const PIN_THREAD_UID &uid, UINT32 milliseconds, INT32 *code);
#else
BOOL PIN_WaitForThreadTermination(const PIN_THREAD_UID *uid, UINT32 milliseconds, INT32 *code);
#endif

/* ---- A thread of the application's that the tool makes ----
 * It begins with the registers of ctxt (its stack pointer is for the caller to choose, and to share no stack with another thread), ends
 * by the system call exit, and is known to callbacks like any other. From analysis routines and callbacks on application threads. FALSE:
 * the system has no room for another thread. */
BOOL PIN_SpawnApplicationThread(const CONTEXT *ctxt);

/* ---- All other application threads at rest, their registers in reach. From analysis routines and internal threads ---- */
/* FALSE: somebody else is stopping the caller, which has to return. */
BOOL PIN_StopApplicationThreads(THREADID tid);
VOID PIN_ResumeApplicationThreads(THREADID tid);
UINT32 PIN_GetStoppedThreadCount(VOID);
THREADID PIN_GetStoppedThreadId(UINT32 i);
const CONTEXT *PIN_GetStoppedThreadContext(THREADID tid);
CONTEXT *PIN_GetStoppedThreadWriteableContext(THREADID tid);
#endif
