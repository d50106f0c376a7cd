/* codecache.h: the code cache as an object: events, sizes, limits, invalidation. Later versions of Pin dropped this
 * interface.
 *
 * Callbacks about the cache run while it is being changed: they look, count and ask for a flush, which happens as soon as
 * the change is made; they insert no calls. Cache addresses are of use only until the next flush. */
#ifndef COTTER_CODECACHE_H
#define COTTER_CODECACHE_H

typedef VOID (*CODECACHE_NOARG_CALLBACK)(VOID);
typedef VOID (*CODECACHE_CACHEBLOCK_CALLBACK)(USIZE newBlockSize);
typedef VOID (*CODECACHE_FULL_CALLBACK)(USIZE traceSize, USIZE stubSize);
typedef VOID (*CODECACHE_ENTEREXIT_CALLBACK)(ADDRINT cachePc);
typedef VOID (*CODECACHE_LINKED_CALLBACK)(ADDRINT branchPc, ADDRINT targetPc);
typedef VOID (*CODECACHE_UNLINKED_CALLBACK)(ADDRINT branchPc, ADDRINT stubPc);
typedef VOID (*CODECACHE_TRACEINVALIDATED_CALLBACK)(ADDRINT origPc, ADDRINT cachePc, BOOL success);

/* ---- Events ---- */
PIN_CALLBACK CODECACHE_AddCacheInitFunction(CODECACHE_NOARG_CALLBACK fun, VOID *val);          /* before the first trace */
PIN_CALLBACK CODECACHE_AddCacheBlockFunction(CODECACHE_CACHEBLOCK_CALLBACK fun, VOID *val);    /* a new block */
/* The limit is reached. When no callback raises it or flushes, the cache flushes itself. */
PIN_CALLBACK CODECACHE_AddFullCacheFunction(CODECACHE_FULL_CALLBACK fun, VOID *val);
PIN_CALLBACK CODECACHE_AddCacheFlushedFunction(CODECACHE_NOARG_CALLBACK fun, VOID *val);
/* A thread enters the cache at an address, or has left it there (0: at an unknown one). */
PIN_CALLBACK CODECACHE_AddCodeCacheEnteredFunction(CODECACHE_ENTEREXIT_CALLBACK fun, VOID *val);
PIN_CALLBACK CODECACHE_AddCodeCacheExitedFunction(CODECACHE_ENTEREXIT_CALLBACK fun, VOID *val);
/* A trace is in the cache. The handle answers what an instrumentation callback may ask, and its place in the cache. */
PIN_CALLBACK CODECACHE_AddTraceInsertedFunction(TRACE_INSTRUMENT_CALLBACK fun, VOID *val);
PIN_CALLBACK CODECACHE_AddTraceLinkedFunction(CODECACHE_LINKED_CALLBACK fun, VOID *val);
PIN_CALLBACK CODECACHE_AddTraceUnlinkedFunction(CODECACHE_UNLINKED_CALLBACK fun, VOID *val);
PIN_CALLBACK CODECACHE_AddTraceInvalidatedFunction(CODECACHE_TRACEINVALIDATED_CALLBACK fun, VOID *val);

/* ---- Actions ---- */
BOOL CODECACHE_FlushCache(VOID);
UINT32 CODECACHE_InvalidateTraceAtProgramAddress(ADDRINT pc);         /* traces that begin there; how many */
UINT32 CODECACHE_InvalidateRange(ADDRINT start, ADDRINT end);         /* traces of these pages; end: the last byte */
BOOL CODECACHE_ChangeBlockSize(USIZE size);                           /* before PIN_StartProgram; FALSE: too late, or no size */
BOOL CODECACHE_ChangeCacheLimit(USIZE size);                          /* bytes; 0: none */
BOOL CODECACHE_ChangeMaxInsPerTrace(UINT32 n);                        /* of traces to come */
BOOL CODECACHE_ChangeMaxBblsPerTrace(UINT32 n);
BOOL CODECACHE_CreateNewCacheBlock(USIZE size);                       /* of the usual size; FALSE: size is larger */

/* ---- Sizes in bytes, numbers ---- */
UINT32 CODECACHE_CodeMemReserved(VOID);
UINT32 CODECACHE_CodeMemUsed(VOID);
UINT32 CODECACHE_DirectoryMemUsed(VOID);
UINT32 CODECACHE_ExitStubBytes(VOID);
UINT32 CODECACHE_LinkBytes(VOID);
UINT32 CODECACHE_CacheSizeLimit(VOID);
UINT32 CODECACHE_BlockSize(VOID);
UINT32 CODECACHE_NumTracesInCache(VOID);
UINT32 CODECACHE_NumExitStubsInCache(VOID);
USIZE PIN_MemoryAllocatedForPin(VOID);

/* ---- Places ---- */
ADDRINT CODECACHE_OriginalAddress(ADDRINT cachePc);    /* the application's address; 0: no code is there */
/* In a callback of CODECACHE_AddTraceInsertedFunction. */
ADDRINT TRACE_CodeCacheAddress(TRACE trace);
USIZE TRACE_CodeCacheSize(TRACE trace);
ADDRINT BBL_CodeCacheAddress(BBL bbl);
USIZE BBL_CodeCacheSize(BBL bbl);
ADDRINT INS_CodeCacheAddress(INS ins);
USIZE INS_CodeCacheSize(INS ins);
#endif
