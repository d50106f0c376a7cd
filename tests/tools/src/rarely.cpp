/* rarely.cpp: functions that few tools use. */
#include "pin.H"
#include <sys/syscall.h>

static UINT32 wrong, replays, changes, concurrent, faults;
#define CHECK(claim) do { if (!(claim)) { wrong++; fprintf(stderr, "line %d: %s\n", __LINE__, #claim); } } while (0)
static REG reg;
static BUFFER_ID buffer;

/* ---- an inserted jump through a register: to the function's caller, with another result ---- */
static ADDRINT Caller(ADDRINT *rsp, ADDRINT *rax)
{
    ADDRINT back = *(ADDRINT *)*rsp;
    *rsp += 8;
    *rax = 100;
    return back;
}

/* ---- another thread's registers, changed while it stands ---- */
static VOID Stopper(THREADID tid)
{
    CHECK(PIN_StopApplicationThreads(tid));
    UINT32 running = 0;
    for (UINT32 i = 0; i < PIN_GetStoppedThreadCount(); i++) {
        CONTEXT *c = PIN_GetStoppedThreadWriteableContext(PIN_GetStoppedThreadId(i));
        if (!c)
            continue;
        running++;
        ADDRINT r15 = PIN_GetContextReg(c, REG_R15);
        PIN_SetContextReg(c, REG_R15, r15);
        CHECK(PIN_GetContextReg(c, REG_RIP) != 0);
    }
    CHECK(running == 1);
    PIN_ResumeApplicationThreads(tid);
}

/* ---- replayed system calls and context changes ---- */
static BOOL replaying;
static VOID Entry(THREADID, CONTEXT *c, SYSCALL_STANDARD std, VOID *)
{
    __atomic_add_fetch(&concurrent, 1, __ATOMIC_RELAXED);
    if (replaying)
        replays += PIN_GetSyscallNumber(c, std) == 999;
    else if (PIN_GetSyscallNumber(c, std) == SYS_read && PIN_GetSyscallArgument(c, std, 2) == 6)
        PIN_SetSyscallArgument(c, std, 2, 3);
}
static VOID Exit(THREADID, CONTEXT *c, SYSCALL_STANDARD std, VOID *) { if (replaying) replays += PIN_GetSyscallReturn(c, std) == 77; }
static VOID Change(THREADID, CONTEXT_CHANGE_REASON reason, const CONTEXT *, CONTEXT *to, INT32 info, VOID *)
{
    if (replaying && reason == CONTEXT_CHANGE_REASON_SIGNAL && info == 10) {
        changes++;
        PIN_SetContextReg(to, REG_RAX, 300);    /* what the function returns */
    }
}
static VOID Replay(CONTEXT *ctxt, THREADID tid)
{
    CONTEXT c;
    PIN_SaveContext(ctxt, &c);
    replaying = TRUE;
    PIN_SetSyscallNumber(&c, SYSCALL_STANDARD_IA32E_LINUX, 999);
    PIN_ReplaySyscallEntry(tid, &c, SYSCALL_STANDARD_IA32E_LINUX);
    PIN_SetSyscallReturn(&c, SYSCALL_STANDARD_IA32E_LINUX, 77);
    PIN_ReplaySyscallExit(tid, &c, SYSCALL_STANDARD_IA32E_LINUX);
    PIN_SaveContext(ctxt, &c);
    ADDRINT back = *(ADDRINT *)PIN_GetContextReg(&c, REG_RSP);
    PIN_SetContextReg(&c, REG_RSP, PIN_GetContextReg(&c, REG_RSP) + 8);
    PIN_SetContextReg(&c, REG_RIP, back);
    PIN_ReplayContextChange(tid, ctxt, &c, CONTEXT_CHANGE_REASON_SIGNAL, 10);
}

/* ---- a breakpoint without a debugger goes on where it says ---- */
static VOID Break(CONTEXT *ctxt, THREADID tid)
{
    CONTEXT c;
    PIN_SaveContext(ctxt, &c);
    PIN_SetContextReg(&c, REG_RIP, *(ADDRINT *)PIN_GetContextReg(&c, REG_RSP));
    PIN_SetContextReg(&c, REG_RSP, PIN_GetContextReg(&c, REG_RSP) + 8);
    PIN_SetContextReg(&c, REG_RAX, 400);
    replaying = FALSE;
    PIN_ApplicationBreakpoint(&c, tid, FALSE, "nobody is there");
}
static BOOL Never(THREADID, CONTEXT *, const std::string &, std::string *, VOID *) { wrong++; return FALSE; }

/* ---- faults of the tool, caught for all threads ---- */
static EXCEPT_HANDLING_RESULT Fault(THREADID, EXCEPTION_INFO *e, PHYSICAL_CONTEXT *c, VOID *)
{
    FPSTATE fp;
    CHECK(PIN_GetExceptionCode(e) == EXCEPTCODE_ACCESS_INVALID_ADDRESS);
    PIN_GetPhysicalContextFPState(c, &fp);
    PIN_SetPhysicalContextFPState(c, &fp);
    PIN_SetPhysicalContextReg(c, REG_RIP, PIN_GetPhysicalContextReg(c, REG_RIP) + 2);
    faults++;
    return EHR_HANDLED;
}
static VOID Touch()
{
    if (!faults)
        __asm__ volatile("xor %%eax, %%eax; .byte 0x8b, 0x00" : : : "rax");       /* mov (%rax), %eax */
}

static VOID *Full(BUFFER_ID, THREADID, const CONTEXT *, VOID *buf, UINT64, VOID *) { return buf; }
static VOID Pointer(CONTEXT *ctxt, ADDRINT *last)
{
    ADDRINT p = (ADDRINT)PIN_GetBufferPointer(ctxt, buffer);
    CHECK(p && (!*last || p == *last));         /* nothing is written here */
    *last = p;
}
static ADDRINT last;

static VOID Image(IMG img, VOID *)
{
    if (!IMG_IsMainExecutable(img))
        return;
    RTN rtn = RTN_FindByName(img, "skipped");
    RTN whole = RTN_FindByName(img, "main");
    RTN_Open(whole);
    ADDRINT inside = INS_NextAddress(RTN_InsHead(whole));
    RTN_Close(whole);
    RTN made = RTN_CreateAt(inside, "made");
    CHECK(RTN_Valid(made) && RTN_Name(made) == "made" && RTN_Id(made) != RTN_Id(rtn) && RTN_FindByName(img, "made") == made);
    RTN_Open(rtn);
    INS ins = RTN_InsHead(rtn);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Caller, IARG_REG_REFERENCE, REG_RSP, IARG_REG_REFERENCE, REG_RAX, IARG_RETURN_REGS, reg, IARG_END);
    INS_InsertIndirectJump(ins, IPOINT_BEFORE, reg);
    RTN_Close(rtn);
    rtn = RTN_FindByName(img, "stopper");
    RTN_Open(rtn);
    RTN_InsertCall(rtn, IPOINT_BEFORE, (AFUNPTR)Stopper, IARG_THREAD_ID, IARG_END);
    RTN_InsertCall(rtn, IPOINT_BEFORE, (AFUNPTR)Touch, IARG_END);
    for (int i = 0; i < 3; i++) {
        INS_InsertCall(RTN_InsHead(rtn), IPOINT_BEFORE, (AFUNPTR)Pointer, IARG_CONTEXT, IARG_PTR, &last, IARG_END);
    }
    RTN_Close(rtn);
    struct { const char *name; AFUNPTR fun; } list[] = { { "replayed", (AFUNPTR)Replay }, { "broken", (AFUNPTR)Break } };
    for (auto &x : list) {
        rtn = RTN_FindByName(img, x.name);
        RTN_Open(rtn);
        RTN_InsertCall(rtn, IPOINT_BEFORE, x.fun, IARG_CONTEXT, IARG_THREAD_ID, IARG_END);
        RTN_Close(rtn);
    }
}

static BOOL Follow(CHILD_PROCESS child, VOID *)
{
    INT argc = 0;
    const CHAR *const *argv = 0;
    CHILD_PROCESS_GetCommandLine(child, &argc, &argv);
    CHECK(argc == 3 && !strcmp(argv[0], "echo") && !strcmp(argv[2], "child") && CHILD_PROCESS_GetId(child) == (OS_PROCESS_ID)PIN_GetPid());
    return FALSE;
}

static INT first_pid;
static VOID Fini(INT32, VOID *)
{
    if (PIN_GetPid() != first_pid)
        return;                                 /* the child, about to execute another program */
    CHECK(replays == 2 && changes == 1 && faults == 1 && concurrent > 10);
    PIN_WriteErrorMessage("words:", 1001, PIN_ERR_NONFATAL, 2, "one", "two");
    fprintf(stderr, "wrong %u\n", wrong);
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    first_pid = PIN_GetPid();
    reg = PIN_ClaimToolRegister();
    buffer = PIN_DefineTraceBuffer(8, 1, Full, 0);
    PIN_AddSyscallEntryFunction(Entry, 0);
    PIN_AddSyscallExitFunction(Exit, 0);
    PIN_AddContextChangeFunction(Change, 0);
    PIN_AddInternalExceptionHandler(Fault, 0);
    PIN_AddDebugInterpreter(Never, 0);
    PIN_RemoveDebugInterpreter(Never);
    PIN_AddFollowChildProcessFunction(Follow, 0);
    IMG_AddInstrumentFunction(Image, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_CONFIGURATION_INFO options = PIN_CreateDefaultConfigurationInfo();
    PIN_SetAllowedConcurrentCallbacks(options, PIN_CALLBACK_TYPE_SYSCALL);
    PIN_StartProgram(options);
}
