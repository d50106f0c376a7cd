/* lives.cpp: births and deaths of threads, their data, and a count per thread kept in several ways. */
#include "pin.H"
using namespace std;

static TLS_KEY key, kept;                       /* one with a destructor, one whose data outlives the thread */
static UINT32 born, dead, destroyed, most;
static UINT64 in_key, in_tls, in_lock, together;
static thread_local UINT64 tls_count;
static PIN_LOCK lock;
static PIN_MUTEX mutex;
static PIN_RWMUTEX rw;
static UINT64 under_mutex, under_rw;
static set<PIN_THREAD_UID> uids;

struct Data { UINT64 count; };
static VOID Destroy(VOID *p) { in_key += ((Data *)p)->count; delete (Data *)p; destroyed++; }

static VOID Start(THREADID tid, CONTEXT *ctxt, INT32 flags, VOID *v)
{
    ASSERTX(tid == PIN_ThreadId() && PIN_GetTid() > 0 && PIN_GetContextReg(ctxt, REG_STACK_PTR) != 0);
    ASSERTX(PIN_GetThreadData(key, tid) == 0 && PIN_IsApplicationThread());
    ASSERTX((tid == 0) == (PIN_GetParentTid() == INVALID_OS_THREAD_ID));
    ASSERTX(PIN_GetThreadData(kept, tid) == 0);
    TLS_KEY gone = PIN_CreateThreadDataKey(0);
    ASSERTX(PIN_SetThreadData(gone, &born, tid) && PIN_DeleteThreadDataKey(gone) && !PIN_SetThreadData(gone, &born, tid));
    ASSERTX(PIN_GetThreadData(gone, tid) == 0);
    PIN_SetThreadData(key, new Data(), tid);
    PIN_SetThreadData(kept, (VOID *)(ADDRINT)(tid + 1), tid);
    uids.insert(PIN_ThreadUid());
    born++;
    most = max(most, tid + 1);
    tls_count = 0;
}

static VOID End(THREADID tid, const CONTEXT *ctxt, INT32 code, VOID *v)
{
    if (tid == PIN_ThreadId())
        in_tls += tls_count;
    dead++;
}

static VOID Block(UINT32 n, THREADID tid)
{
    ((Data *)PIN_GetThreadData(key, tid))->count += n;
    tls_count += n;
    __atomic_fetch_add(&together, n, __ATOMIC_RELAXED);
    PIN_GetLock(&lock, tid + 1);
    in_lock += n;
    ASSERTX(PIN_ReleaseLock(&lock) == (INT32)tid + 1);
    PIN_MutexLock(&mutex);
    under_mutex += n;
    PIN_MutexUnlock(&mutex);
    PIN_RWMutexWriteLock(&rw);
    under_rw += n;
    PIN_RWMutexUnlock(&rw);
    PIN_RWMutexReadLock(&rw);
    PIN_RWMutexUnlock(&rw);
}

static VOID Trace(TRACE trace, VOID *v)
{
    if (!IMG_Valid(IMG_FindByAddress(TRACE_Address(trace))) || !IMG_IsMainExecutable(IMG_FindByAddress(TRACE_Address(trace))))
        return;
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        BBL_InsertCall(bbl, IPOINT_BEFORE, (AFUNPTR)Block, IARG_UINT32, BBL_NumIns(bbl), IARG_THREAD_ID, IARG_END);
}

static VOID Fini(INT32 code, VOID *v)
{
    for (UINT32 tid = 0; tid < most; tid++)
        ASSERTX(PIN_GetThreadData(kept, tid) == (VOID *)(ADDRINT)(tid + 1) && PIN_GetThreadData(key, tid) == 0);
    cerr << "born " << born << " dead " << dead << " destroyed " << destroyed << " uids " << uids.size() << " numbers up to " << most
         << " code " << code << endl;
    cerr << (in_key == together && in_tls == together && in_lock == together && under_mutex == together && under_rw == together
                 ? "counts agree" : "counts differ")
         << endl;
    if (in_key != together || in_tls != together)
        cerr << in_key << " " << in_tls << " " << in_lock << " " << together << endl;
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    PIN_InitLock(&lock);
    PIN_MutexInit(&mutex);
    PIN_RWMutexInit(&rw);
    key = PIN_CreateThreadDataKey(Destroy);
    kept = PIN_CreateThreadDataKey(0);
    PIN_AddThreadStartFunction(Start, 0);
    PIN_AddThreadFiniFunction(End, 0);
    TRACE_AddInstrumentFunction(Trace, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
