/* control.h: the life of a run: initialisation, start, end; instrumentation as a whole; memory of the application. */
#ifndef COTTER_CONTROL_H
#define COTTER_CONTROL_H

/* ---- Beginning ---- */
/* In main(), first: reads the command line. TRUE when it is wrong: the error is printed, the tool prints its usage and
 * returns. */
BOOL PIN_Init(INT32 argc, CHAR **argv);
/* In main(), before the start: read the symbols of images, so that routines have names. */
VOID PIN_InitSymbols(VOID);
BOOL PIN_InitSymbolsAlt(SYMBOL_INFO_MODE mode);
/* In main(), last: the application begins. Does not return; main()'s stack is gone. */
#ifndef __cplusplus
VOID PIN_StartProgram(VOID) __attribute__((noreturn));
#endif
VOID COTTER_StartProgram(PIN_CONFIGURATION_INFO options) __attribute__((noreturn));
PIN_CONFIGURATION_INFO PIN_CreateDefaultConfigurationInfo(VOID);
/* Let callbacks of this type run on several threads at once. */
VOID PIN_SetAllowedConcurrentCallbacks(PIN_CONFIGURATION_INFO options, PIN_CALLBACK_TYPE type);
/* Right before the application's first instruction, after the callbacks for images that are there already. */
PIN_CALLBACK PIN_AddApplicationStartFunction(APPLICATION_START_CALLBACK fun, VOID *val);
BOOL PIN_IsAttaching(VOID);
BOOL PIN_IsProbeMode(VOID);
UINT32 PIN_GetInitialThreadCount(VOID);
const CHAR *PIN_ToolFullPath(VOID);
const CHAR *PIN_VmFullPath(VOID);
/* The file of the program. /proc/self/exe of the process tells the same only where the kernel executed it. */
const CHAR *COTTER_ProgramPath(VOID);
BOOL COTTER_IsQuiet(VOID);                      /* cotter -q: nothing is to be said that is not an error, or the report */
ADDRINT PIN_GetAuxVectorValue(ADDRINT type, BOOL *found);       /* of the application */
#ifndef __cplusplus
const char *PIN_Version(VOID);
#endif

/* ---- End ---- */
/* At the beginning of the end, on the thread that ends the process; other threads still run. For stopping internal ones. */
PIN_CALLBACK PIN_AddPrepareForFiniFunction(PREPARE_FOR_FINI_CALLBACK fun, VOID *val);
/* When the process ends, with its exit status; a death by signal N shows as 128 + N. Once; threads no longer run. */
PIN_CALLBACK PIN_AddFiniFunction(FINI_CALLBACK fun, VOID *val);
PIN_CALLBACK PIN_AddFiniUnlockedFunction(FINI_CALLBACK fun, VOID *val);       /* old: runs where PrepareForFini does */
VOID PIN_RemoveFiniFunctions(VOID);
BOOL PIN_IsProcessExiting(VOID);
VOID PIN_ExitApplication(INT32 status) __attribute__((noreturn));     /* as if the application had: all callbacks run */
VOID PIN_ExitProcess(INT32 code) __attribute__((noreturn));           /* at once */

/* ---- Detaching ---- */
/* Give the process back: soon all threads run natively, for good. Returns at once. No Fini then. */
VOID PIN_Detach(VOID);
PIN_CALLBACK PIN_AddDetachFunction(DETACH_CALLBACK fun, VOID *val);     /* once, just before that, all threads at rest */

/* ---- Callbacks ---- */
/* Callbacks of one kind run in the order of these numbers (CALL_ORDER_DEFAULT), equal ones as they were registered. */
VOID CALLBACK_SetExecutionOrder(PIN_CALLBACK callback, CALL_ORDER order);
CALL_ORDER CALLBACK_GetExecutionOrder(PIN_CALLBACK callback);
VOID CALLBACK_SetExecutionPriority(PIN_CALLBACK callback, INT32 priority);
INT32 CALLBACK_GetExecutionPriority(PIN_CALLBACK callback);

/* ---- Instrumentation ---- */
/* Forget all translated code: callbacks see it again when it runs next. From any routine. */
VOID PIN_RemoveInstrumentation(VOID);
VOID PIN_RemoveInstrumentationInRange(ADDRINT start, ADDRINT end);     /* end: the last byte */
VOID TRACE_AddSmcDetectedFunction(SMC_CALLBACK fun, VOID *val);
BOOL PIN_IsActionPending(THREADID tid);         /* a signal or a stop waits for the routine to return */

/* ---- Memory: copies that survive a fault ---- */
size_t PIN_SafeCopy(VOID *dst, const VOID *src, size_t size);          /* bytes copied */
size_t PIN_SafeCopyEx(VOID *dst, const VOID *src, size_t size, struct EXCEPTION_INFO *info);
/* The code that is translated comes from `fun`, not from memory: up to `size` bytes at `addr`, how many (0: none, with the reason in info).
 * It is called under the engine's locks and must not wait. Changes of code are then the tool's affair (PIN_RemoveInstrumentation). */
typedef size_t (*FETCH_CALLBACK)(void *buf, ADDRINT addr, size_t size, struct EXCEPTION_INFO *info, VOID *v);
VOID PIN_AddFetchFunction(FETCH_CALLBACK fun, VOID *val);
/* SMC_DISABLE, before PIN_StartProgram: code that the application changes after it ran goes unnoticed. */
VOID PIN_SetSmcSupport(SMC_ENABLE_DISABLE_TYPE enable);
BOOL PIN_IsAmxActive(THREADID tid);             /* the calling thread's tiles are in use; INVALID_THREADID: the caller */
BOOL PIN_WasMemoryReservedInLoadTime(VOID);     /* TRUE: the engine's own range was free */
/* A new file; the name from a template that may end in XXXXXX. malloc'ed; NULL: it cannot be made. */
CHAR *CreateTmpFileName(const CHAR *pattern, UINT32 size);
size_t PIN_FetchCode(VOID *copyBuf, const VOID *address, size_t maxSize, struct EXCEPTION_INFO *info);
BOOL PIN_CheckReadAccess(VOID *addr);
BOOL PIN_CheckWriteAccess(VOID *addr);

/* What IARG_MEMORYREAD_PTR and its like give for an address: one function, NULL for none; before the code is instrumented.
 * The application's own accesses stay where they are. Runs on many threads at once. */
VOID PIN_AddMemoryAddressTransFunction(MEMORY_ADDR_TRANS_CALLBACK fun, VOID *val);
MEMORY_ADDR_TRANS_CALLBACK PIN_GetMemoryAddressTransFunction(VOID);
/* When the engine cannot get memory, with the size that it needs: the run ends when the callback returns. NULL removes it. */
VOID PIN_AddOutOfMemoryFunction(OUT_OF_MEMORY_CALLBACK fun, VOID *val);

/* ---- Fork and exec ---- */
PIN_CALLBACK PIN_AddForkFunction(FPOINT point, FORK_CALLBACK fun, VOID *val);

/* With cotter -f, before a program that the application executes is started under Cotter: FALSE lets it run natively. */
PIN_CALLBACK PIN_AddFollowChildProcessFunction(FOLLOW_CHILD_PROCESS_CALLBACK fun, VOID *val);
OS_PROCESS_ID CHILD_PROCESS_GetId(CHILD_PROCESS child);
VOID CHILD_PROCESS_GetCommandLine(CHILD_PROCESS child, INT *argc, const CHAR *const **argv);
/* The command to run it with, up to and with --; the strings must last until the callback has returned. */
VOID CHILD_PROCESS_SetPinCommandLine(CHILD_PROCESS child, INT argc, const CHAR *const *argv);

/* ---- Messages of the tool: id from 1000 on, n strings that follow ---- */
VOID PIN_WriteErrorMessage(const char *msg, INT32 id, PIN_ERR_SEVERITY_TYPE severity, INT32 n, ...);
#endif
