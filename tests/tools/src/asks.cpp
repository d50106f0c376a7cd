/* asks.cpp: questions and actions at run time: memory, contexts, stacks, threads of the tool, stopped threads, exceptions,
 * signals that are blocked, lists of arguments, the order of callbacks, buffers. */
#include "pin.H"
#include <elf.h>
#include <signal.h>

static UINT32 n, wrong;
#define CHECK(claim) do { n++; if (!(claim)) { wrong++; fprintf(stderr, "line %d: %s\n", __LINE__, #claim); } } while (0)
static std::string order;
static ADDRINT text_address;

/* ---- memory ---- */
static VOID Innermost(ADDRINT p, const CONTEXT *ctxt, THREADID tid)
{
    CHAR copy[16] = "";
    EXCEPTION_INFO e;
    ADDRINT at = 0;
    CHECK(PIN_SafeCopy(copy, (VOID *)p, 11) == 11 && !strcmp(copy, "known text"));
    CHECK(PIN_SafeCopy(copy, (VOID *)8, 4) == 0 && PIN_SafeCopyEx(copy, (VOID *)8, 4, &e) == 0);
    CHECK(PIN_GetFaultyAccessAddress(&e, &at) && at == 8 && PIN_GetFaultyAccessType(&e) == FAULTY_ACCESS_READ);
    CHECK(PIN_FetchCode(copy, (VOID *)PIN_GetContextReg(ctxt, REG_RIP), 4, 0) == 4 && PIN_FetchCode(copy, (VOID *)8, 1, &e) == 0);
    CHECK(PIN_CheckReadAccess((VOID *)p) && PIN_CheckWriteAccess((VOID *)p) && !PIN_CheckReadAccess((VOID *)8) && !PIN_CheckWriteAccess((VOID *)8));
    ADDRINT rip = PIN_GetContextReg(ctxt, REG_RIP);
    CHECK(!PIN_CheckWriteAccess((VOID *)rip));
    BOOL found = FALSE;
    CHECK(PIN_GetAuxVectorValue(AT_PAGESZ, &found) == 4096 && found);
    PIN_GetAuxVectorValue(12345, &found);
    CHECK(!found && !PIN_IsActionPending(tid) && !PIN_VmFullPath()[0] == FALSE && PIN_ToolFullPath()[0] == '/');
    VOID *frames[8];
    INT got = PIN_Backtrace(ctxt, frames, 8);
    PIN_LockClient();
    CHECK(got >= 3);
    std::string names;
    for (INT i = 0; i < got && i < 4; i++)
        names += RTN_FindNameByAddress((ADDRINT)frames[i]) + " ";
    PIN_UnlockClient();
    CHECK(names.find("middle ") != std::string::npos && names.find("outermost ") > names.find("middle ") && names.find("main ") > names.find("outermost "));
    text_address = p;
}

/* Through the C library, to main and not much further. */
static UINT32 compared;
static VOID Compared(const CONTEXT *ctxt, THREADID)
{
    VOID *frames[32];
    INT got = PIN_Backtrace(ctxt, frames, 32);
    std::string names;
    PIN_LockClient();
    for (INT i = 0; i < got; i++)
        names += " " + RTN_FindNameByAddress((ADDRINT)frames[i]);
    PIN_UnlockClient();
    CHECK(names.find(" compare ") == 0 && names.find(" sort ") > 8 && names.find(" main ") > names.find(" sort ") && names.find(" _start") > names.find(" main "));
    CHECK(got > 4 && got < 12);
    compared++;
}

/* ---- contexts ---- */
static VOID Vectors(CONTEXT *ctxt)
{
    double v[2];
    FPSTATE fp;
    FXSAVE fx;
    PIN_GetContextRegval(ctxt, REG_XMM5, (UINT8 *)v);
    CHECK(v[0] == 1.5 && v[1] == 2.5);
    PIN_GetContextFPState(ctxt, &fp);
    CHECK(!memcmp(&fp.fxsave_legacy._xmms[5], v, 16));
    PIN_GetContextFXSave(ctxt, &fx);
    CHECK(!memcmp(&fx._xmms[5], v, 16));
    const UINT8 one[10] = { 0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f };
    UINT8 st[10];
    PIN_GetContextRegval(ctxt, REG_ST0, st);
    CHECK(!memcmp(st, one, 10) && !memcmp(fx._sts[0]._byte, one, 10));
    CHECK(PIN_ContextContainsState(ctxt, PROCESSOR_STATE_X87) && PIN_SupportsProcessorState(PROCESSOR_STATE_XMM));
    CONTEXT copy;
    PIN_SaveContext(ctxt, &copy);
    v[0] = 9;
    PIN_SetContextRegval(&copy, REG_XMM5, (const UINT8 *)v);
    PIN_SetContextReg(&copy, REG_RAX, 77);
    double again[2];
    PIN_GetContextRegval(&copy, REG_XMM5, (UINT8 *)again);
    CHECK(again[0] == 9 && PIN_GetContextReg(&copy, REG_RAX) == 77 && PIN_GetContextReg(&copy, REG_EAX) == 77);
    PIN_GetContextRegval(ctxt, REG_XMM5, (UINT8 *)again);
    CHECK(again[0] == 1.5);
    fx._xmms[6]._vec64[0] = 0x1234;
    PIN_SetContextFXSave(&copy, &fx);
    UINT64 x6[2];
    PIN_GetContextRegval(&copy, REG_XMM6, (UINT8 *)x6);
    CHECK(x6[0] == 0x1234);
    PIN_SetContextFPState(&copy, &fp);
    PIN_GetContextRegval(&copy, REG_XMM5, (UINT8 *)again);
    CHECK(again[0] == 1.5);
}

static VOID Raise(const CONTEXT *ctxt, THREADID tid)
{
    EXCEPTION_INFO e;
    PIN_InitAccessFaultInfo(&e, EXCEPTCODE_ACCESS_INVALID_ADDRESS, PIN_GetContextReg(ctxt, REG_RIP), 321, FAULTY_ACCESS_READ);
    PIN_RaiseException(ctxt, tid, &e);
}

/* ---- signals ---- */
static UINT32 seen;
static BOOL Usr1(THREADID, INT32 sig, CONTEXT *, BOOL handler, const EXCEPTION_INFO *info, VOID *)
{
    CHECK(sig == SIGUSR1 && !handler && !info);
    seen++;
    return FALSE;
}

/* ---- threads of the tool ---- */
static PIN_SEMAPHORE go, done;
static PIN_THREAD_UID uid, uid2;
static UINT32 stopped;
static VOID Worker(VOID *arg)
{
    CHECK(!PIN_IsApplicationThread() && arg == (VOID *)7);
    PIN_SemaphoreWait(&go);
    if (PIN_StopApplicationThreads(PIN_ThreadId())) {
        stopped = PIN_GetStoppedThreadCount();
        THREADID t = PIN_GetStoppedThreadId(0);
        const CONTEXT *c = PIN_GetStoppedThreadContext(t);
        CHECK(stopped == 1 && t == 0 && c && PIN_GetContextReg(c, REG_RIP) != 0);
        PIN_ResumeApplicationThreads(PIN_ThreadId());
    }
    PIN_SemaphoreSet(&done);
    PIN_ExitThread(42);
}
static VOID Quick(VOID *) {}
static UINT32 passes;
static VOID Pass()
{
    if (++passes == 2000)
        PIN_SemaphoreSet(&go);
}
static VOID Prepare(VOID *)
{
    INT32 code = 0;
    order += "p";
    PIN_SemaphoreSet(&go);
    CHECK(PIN_WaitForThreadTermination(uid, 20000, &code) && code == 42 && PIN_SemaphoreIsSet(&done));
    CHECK(PIN_WaitForThreadTermination(uid2, PIN_INFINITE_TIMEOUT, 0));
}

/* ---- argument lists, traces, buffers ---- */
static UINT64 listed, traced, full, records;
static VOID Listed(UINT32 a, ADDRINT pc, UINT32 b, ADDRINT pc2) { if (a == 3 && b == 4 && pc == pc2) listed++; }
static ADDRINT Always() { return 1; }
static VOID Then() { traced++; }
struct Record { ADDRINT pc; UINT32 constant; };
static BUFFER_ID buffer;
static VOID *Full(BUFFER_ID id, THREADID, const CONTEXT *, VOID *buf, UINT64 count, VOID *)
{
    for (UINT64 i = 0; i < count; i++)
        records += static_cast<Record *>(buf)[i].constant == 9 && static_cast<Record *>(buf)[i].pc != 0;
    if (++full % 2)
        return buf;
    VOID *other = PIN_AllocateBuffer(id);
    PIN_DeallocateBuffer(id, buf);
    return other;
}

static UINT64 executed;
static VOID Executed(VOID) { executed++; }
static VOID Instruction(INS ins, VOID *)
{
    IARGLIST list = IARGLIST_Alloc();
    IARGLIST_AddArguments(list, IARG_UINT32, 3, IARG_INST_PTR, IARG_END);
    IARGLIST_AddArguments(list, IARG_UINT32, 4, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Listed, IARG_IARGLIST, list, IARG_INST_PTR, IARG_END);
    IARGLIST_Free(list);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Executed, IARG_END);
    INS_InsertFillBuffer(ins, IPOINT_BEFORE, buffer, IARG_INST_PTR, offsetof(Record, pc), IARG_UINT32, 9, offsetof(Record, constant), IARG_END);
    INS_InsertIfCall(ins, IPOINT_BEFORE, (AFUNPTR)Always, IARG_END);
    INS_InsertFillBufferThen(ins, IPOINT_BEFORE, buffer, IARG_INST_PTR, offsetof(Record, pc), IARG_UINT32, 9, offsetof(Record, constant), IARG_END);
}

static UINT64 heads;
static VOID Head() { heads++; }
static VOID Trace(TRACE trace, VOID *)
{
    UINT32 bbls = 0, count = 0;
    USIZE size = 0;
    BBL last = TRACE_BblHead(trace);
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        bbls++;
        count += BBL_NumIns(bbl);
        size += BBL_Size(bbl);
        CHECK(BBL_Original(bbl) && (!BBL_Valid(BBL_Prev(bbl)) || BBL_Address(BBL_Prev(bbl)) == BBL_Address(last)));
        CHECK(BBL_HasFallThrough(bbl) == INS_HasFallThrough(BBL_InsTail(bbl)));
        last = bbl;
    }
    CHECK(bbls == TRACE_NumBbl(trace) && count == TRACE_NumIns(trace) && size == TRACE_Size(trace) && TRACE_Original(trace));
    CHECK(BBL_Address(last) == BBL_Address(TRACE_BblTail(trace)) && TRACE_HasFallThrough(trace) == BBL_HasFallThrough(last));
    TRACE_InsertCall(trace, IPOINT_BEFORE, (AFUNPTR)Head, IARG_END);
    TRACE_InsertIfCall(trace, IPOINT_BEFORE, (AFUNPTR)Always, IARG_END);
    TRACE_InsertThenCall(trace, IPOINT_BEFORE, (AFUNPTR)Then, IARG_END);
    TRACE_InsertCall(trace, IPOINT_BEFORE, (AFUNPTR)Pass, IARG_END);
}

static VOID Image(IMG img, VOID *)
{
    struct { const char *name; AFUNPTR fun; int kind; } list[] = { { "innermost", (AFUNPTR)Innermost, 0 }, { "raised", (AFUNPTR)Raise, 1 },
                                                                      { "compare", (AFUNPTR)Compared, 1 } };
    for (auto &x : list) {
        RTN rtn = RTN_FindByName(img, x.name);
        if (!RTN_Valid(rtn) || !IMG_IsMainExecutable(img))
            continue;
        RTN_Open(rtn);
        if (x.kind)
            RTN_InsertCall(rtn, IPOINT_BEFORE, x.fun, IARG_CONST_CONTEXT, IARG_THREAD_ID, IARG_END);
        else
            RTN_InsertCall(rtn, IPOINT_BEFORE, x.fun, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_CONST_CONTEXT, IARG_THREAD_ID, IARG_END);
        RTN_Close(rtn);
    }
}
static ADDRINT vectors_at;
static VOID Nop(INS ins, VOID *)
{
    RTN rtn = INS_IsNop(ins) ? INS_Rtn(ins) : RTN_Invalid();
    if (RTN_Valid(rtn) && (RTN_Name(rtn) == "vectors" || RTN_Name(rtn) == "at_vectors") && INS_Size(ins) == 1 && !vectors_at)
        vectors_at = INS_Address(ins);
    if (vectors_at && INS_Address(ins) == vectors_at)
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Vectors, IARG_CONTEXT, IARG_END);
}

static VOID First(VOID *) { order += "1"; }
static VOID Second(VOID *) { order += "2"; }
static VOID Unlocked(INT32 code, VOID *) { order += "u"; CHECK(code == 5 && PIN_IsProcessExiting()); }
static VOID NeverFini(INT32, VOID *) { order += "x"; }
static VOID OutOfMemory(size_t, VOID *) {}
static VOID Fini(INT32 code, VOID *)
{
    CHECK(code == 5 && seen == 1 && compared > 5 && vectors_at && text_address);
    CHECK(listed == executed && traced == heads && full > 2 && records == 2 * executed && stopped == 1);
    fprintf(stderr, "%s %s wrong %u\n", order.c_str(), n > 100 ? "many" : "few", wrong);
}

int main(int argc, char **argv)
{
    PIN_InitSymbolsAlt(DEBUG_OR_EXPORT_SYMBOLS);
    if (PIN_Init(argc, argv))
        return 1;
    PIN_AddFiniFunction(NeverFini, 0);
    PIN_RemoveFiniFunctions();
    PIN_CALLBACK second = PIN_AddApplicationStartFunction(Second, 0), first = PIN_AddApplicationStartFunction(First, 0);
    CALLBACK_SetExecutionOrder(first, CALL_ORDER_FIRST);
    CHECK(CALLBACK_GetExecutionOrder(first) == CALL_ORDER_FIRST && CALLBACK_GetExecutionOrder(second) == CALL_ORDER_DEFAULT);
    CALLBACK_SetExecutionPriority(second, 250);
    CHECK(CALLBACK_GetExecutionPriority(second) == 250);
    buffer = PIN_DefineTraceBuffer(sizeof(Record), 1, Full, 0);
    CHECK(buffer != BUFFER_ID_INVALID && PIN_DefineTraceBuffer(5000, 1, Full, 0) == BUFFER_ID_INVALID);
    PIN_AddOutOfMemoryFunction(OutOfMemory, 0);
    PIN_AddOutOfMemoryFunction(0, 0);
    PIN_SemaphoreInit(&go);
    PIN_SemaphoreInit(&done);
    CHECK(PIN_SpawnInternalThread(Worker, (VOID *)7, 0, &uid) != INVALID_THREADID && PIN_SpawnInternalThread(Quick, 0, 1 << 16, &uid2) != INVALID_THREADID);
    CHECK(PIN_InterceptSignal(SIGUSR1, Usr1, 0) && !PIN_InterceptSignal(SIGKILL, Usr1, 0) && PIN_UnblockSignal(SIGUSR1, TRUE));
    IMG_AddInstrumentFunction(Image, 0);
    TRACE_AddInstrumentFunction(Trace, 0);
    INS_AddInstrumentFunction(Instruction, 0);
    INS_AddInstrumentFunction(Nop, 0);
    PIN_AddPrepareForFiniFunction(Prepare, 0);
    PIN_AddFiniUnlockedFunction(Unlocked, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
