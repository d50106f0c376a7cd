/* iargs.cpp: arguments that are another one under a second name, or a fact that registers tell: they agree, at every instruction
 * of every thread. What registers.cpp compares with a debugger is the truth here. */
#include "pin.H"

struct Count { UINT64 reads, writes, second, behind, calls, syscalls, results, falls, ticks; };
static Count seen;
static UINT64 wrong;
static PIN_LOCK lock;
static TLS_KEY key;
struct Thread { UINT64 tsc; ADDRINT address[2]; };

static VOID Add(UINT64 *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

#define CHECK(claim) do { if (!(claim)) Wrong(__LINE__, pc); } while (0)
static VOID Wrong(int line, ADDRINT pc)
{
    PIN_GetLock(&lock, 1);
    if (wrong++ < 10)
        fprintf(stderr, "wrong at 0x%lx: line %d\n", pc, line);
    PIN_ReleaseLock(&lock);
}

/* ---- memory: the operand by its number, and what it is by its use ---- */
static VOID PIN_FAST_ANALYSIS_CALL Read(ADDRINT pc, ADDRINT ea, UINT32 size, ADDRINT real, ADDRINT by_number, UINT32 size_by_number, BOOL on)
{
    CHECK(ea == by_number && real == ea && size == size_by_number && on);
    Add(&seen.reads);
}
static VOID Second(ADDRINT pc, ADDRINT ea, ADDRINT real, ADDRINT by_number)
{
    CHECK(ea == by_number && real == ea);
    Add(&seen.second);
}
static VOID Write(ADDRINT pc, ADDRINT ea, UINT32 size, ADDRINT real, ADDRINT by_number, UINT32 size_by_number)
{
    CHECK(ea == by_number && real == ea && size == size_by_number);
    Add(&seen.writes);
}

/* Behind the instruction its registers may be others (mov (%rax), %rax): the address is still the one that was accessed. */
static VOID Keep(THREADID tid, UINT32 k, ADDRINT ea) { static_cast<Thread *>(PIN_GetThreadData(key, tid))->address[k] = ea; }
static VOID Behind(ADDRINT pc, THREADID tid, UINT32 k, ADDRINT ea)
{
    CHECK(ea == static_cast<Thread *>(PIN_GetThreadData(key, tid))->address[k]);
    Add(&seen.behind);
}

static VOID Memory(INS ins)
{
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins) && k < 2 && INS_IsStandardMemop(ins); k++) {
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Keep, IARG_THREAD_ID, IARG_UINT32, k, IARG_MEMORYOP_EA, k, IARG_END);
        if (INS_IsValidForIpointAfter(ins))
            INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)Behind, IARG_INST_PTR, IARG_THREAD_ID, IARG_UINT32, k, IARG_MEMORYOP_EA, k, IARG_END);
        if (INS_IsValidForIpointTakenBranch(ins))
            INS_InsertCall(ins, IPOINT_TAKEN_BRANCH, (AFUNPTR)Behind, IARG_INST_PTR, IARG_THREAD_ID, IARG_UINT32, k, IARG_MEMORYOP_EA, k,
                           IARG_END);
    }
    UINT32 reads = 0;
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins) && INS_IsStandardMemop(ins); k++) {
        if (INS_MemoryOperandIsRead(ins, k) && reads++ == 0)
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, (AFUNPTR)Read, IARG_FAST_ANALYSIS_CALL, IARG_INST_PTR, IARG_MEMORYREAD_EA,
                                     IARG_MEMORYREAD_SIZE, IARG_MEMORYREAD_PTR, IARG_MEMORYOP_EA, k, IARG_MEMORYOP_SIZE, k,
                                     IARG_MEMORYOP_MASKED_ON, k, IARG_END);
        else if (INS_MemoryOperandIsRead(ins, k) && INS_HasMemoryRead2(ins))
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, (AFUNPTR)Second, IARG_INST_PTR, IARG_MEMORYREAD2_EA, IARG_MEMORYREAD2_PTR,
                                     IARG_MEMORYOP_EA, k, IARG_END);
        if (INS_MemoryOperandIsWritten(ins, k))
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, (AFUNPTR)Write, IARG_INST_PTR, IARG_MEMORYWRITE_EA, IARG_MEMORYWRITE_SIZE,
                                     IARG_MEMORYWRITE_PTR, IARG_MEMORYOP_EA, k, IARG_MEMORYOP_SIZE, k, IARG_END);
    }
}

/* ---- calls: the seventh argument lies on the stack, where it is pushed before the return address is ---- */
static VOID Call(ADDRINT pc, ADDRINT a0, ADDRINT a5, ADDRINT a6, ADDRINT *p0, ADDRINT *p6, ADDRINT rdi, ADDRINT r9, ADDRINT rsp)
{
    CHECK(a0 == rdi && a5 == r9 && a6 == *(ADDRINT *)rsp && *p0 == rdi && (ADDRINT)p6 == rsp);
    Add(&seen.calls);
}

/* ---- system calls ---- */
static VOID Enter(ADDRINT pc, ADDRINT number, ADDRINT a0, ADDRINT a3, ADDRINT a5, ADDRINT *p3, ADDRINT rax, ADDRINT rdi, ADDRINT r10,
                  ADDRINT r9)
{
    CHECK(number == rax && a0 == rdi && a3 == r10 && a5 == r9 && *p3 == r10);
    Add(&seen.syscalls);
}
static VOID Leave(ADDRINT pc, ADDRINT value, INT32 error, ADDRINT rax)
{
    bool failed = rax > -4096ul;
    CHECK(failed ? value == (ADDRINT)-1 && error == -(INT32)rax : value == rax && error == 0);
    Add(&seen.results);
}

/* ---- constants of the instruction, and time ---- */
static VOID Anywhere(ADDRINT pc, ADDRINT fall, ADDRINT next, UINT64 wide, BOOL yes, UINT32 narrow)
{
    CHECK(fall == next && wide == 0x123456789abcdef0 && yes == TRUE && narrow == 0xfedcba98);
    Add(&seen.falls);
}
static VOID Time(ADDRINT pc, THREADID tid, UINT64 tsc)
{
    Thread *t = static_cast<Thread *>(PIN_GetThreadData(key, tid));
    CHECK(tsc > t->tsc);
    t->tsc = tsc;
    Add(&seen.ticks);
}

static VOID Instruction(INS ins, VOID *)
{
    static REGSET kept;
    REGSET_Clear(kept);
    Memory(ins);
    if (INS_IsCall(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Call, IARG_INST_PTR, IARG_FUNCARG_CALLSITE_VALUE, 0, IARG_FUNCARG_CALLSITE_VALUE, 5,
                       IARG_FUNCARG_CALLSITE_VALUE, 6, IARG_FUNCARG_CALLSITE_REFERENCE, 0, IARG_FUNCARG_CALLSITE_REFERENCE, 6,
                       IARG_REG_VALUE, REG_RDI, IARG_REG_VALUE, REG_R9, IARG_REG_VALUE, REG_RSP, IARG_END);
    if (INS_IsSyscall(ins)) {
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Enter, IARG_INST_PTR, IARG_SYSCALL_NUMBER, IARG_SYSARG_VALUE, 0,
                       IARG_SYSARG_VALUE, 3, IARG_SYSARG_VALUE, 5, IARG_SYSARG_REFERENCE, 3, IARG_REG_VALUE, REG_RAX, IARG_REG_VALUE, REG_RDI,
                       IARG_REG_VALUE, REG_R10, IARG_REG_VALUE, REG_R9, IARG_END);
        INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)Leave, IARG_INST_PTR, IARG_SYSRET_VALUE, IARG_SYSRET_ERRNO, IARG_REG_VALUE, REG_RAX, IARG_END);
    }
    if (INS_HasFallThrough(ins))
        INS_InsertCall(ins, IPOINT_ANYWHERE, (AFUNPTR)Anywhere, IARG_CHECK_INLINE, IARG_INST_PTR, IARG_FALLTHROUGH_ADDR, IARG_ADDRINT,
                       INS_NextAddress(ins), IARG_UINT64, 0x123456789abcdef0, IARG_BOOL, TRUE, IARG_UINT32, 0xfedcba98, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Time, IARG_PRESERVE, &kept, IARG_INST_PTR, IARG_THREAD_ID, IARG_TSC, IARG_END);
}

static VOID Start(THREADID tid, CONTEXT *, INT32, VOID *) { PIN_SetThreadData(key, new Thread(), tid); }
static const char *Some(UINT64 n) { return n ? "some" : "none"; }
static VOID Fini(INT32, VOID *)
{
    fprintf(stderr, "wrong %lu; reads %s, second %s, writes %s, behind %s, calls %s, system calls %s, results %s, falls %s, times %s\n", wrong, Some(seen.reads),
            Some(seen.second), Some(seen.writes), Some(seen.behind), Some(seen.calls), Some(seen.syscalls), Some(seen.results), Some(seen.falls), Some(seen.ticks));
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    key = PIN_CreateThreadDataKey(0);
    PIN_InitLock(&lock);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddThreadStartFunction(Start, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
