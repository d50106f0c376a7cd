/* crashes.cpp: a tool that crashes in the place that it is told: every kind of callback, analysis routines inlined and not, main,
 * a thread of its own, a constructor. */
#include "pin.H"

static KNOB<std::string> KnobHow(KNOB_MODE_WRITEONCE, "pintool", "how", "", "where to crash");
static UINT64 n;

static BOOL How(const char *how) { return KnobHow.Value() == how; }
__attribute__((noinline)) static VOID Inner(int depth)
{
    if (depth)
        Inner(depth - 1);
    else
        *(volatile int *)0 = 1;
    __asm__ volatile("" ::: "memory");
}
__attribute__((noinline)) static VOID Overflow(volatile char *p)
{
    volatile char big[100000];
    big[0] = *p;
    if (n == 1)
        return;
    Overflow(big);
    big[1] = big[0];
}
struct Early { __attribute__((noinline)) Early() { if (getenv("CRASH_EARLY")) Inner(1); } } early;

static VOID Store(UINT64 *p) { *p = 7; }                /* inlined */
static VOID Analysis() { if (++n == 100) { Inner(2); n++; } }
static VOID Null() { if (++n == 100) { ((VOID (*)())0)(); n++; } }
static VOID Divide(UINT64 a) { volatile UINT64 zero = 0; if (++n == 100) n = a / zero; }
static VOID Throw() { if (++n == 100) throw 1; }
static VOID Deep() { if (++n == 100) { char c = 0; Overflow(&c); n++; } }
static VOID Internal(VOID *) { Inner(1); n++; }

static VOID Instruction(INS ins, VOID *)
{
    struct { const char *how; AFUNPTR fun; } list[] = {
        { "analysis", (AFUNPTR)Analysis }, { "null", (AFUNPTR)Null }, { "throw", (AFUNPTR)Throw }, { "stack", (AFUNPTR)Deep } };
    for (auto &x : list)
        if (How(x.how))
            INS_InsertCall(ins, IPOINT_BEFORE, x.fun, IARG_END);
    if (How("divide"))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Divide, IARG_UINT64, (UINT64)7, IARG_END);
    if (How("inlined"))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Store, IARG_PTR, (UINT64 *)8, IARG_END);
    if (How("inlined-after") && INS_IsValidForIpointAfter(ins))
        INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)Store, IARG_PTR, (UINT64 *)8, IARG_END);
    if (How("inlined-taken") && INS_IsValidForIpointTakenBranch(ins))
        INS_InsertCall(ins, IPOINT_TAKEN_BRANCH, (AFUNPTR)Store, IARG_PTR, (UINT64 *)8, IARG_END);
    if (How("callback")) {
        Inner(1);
        n++;
    }
}
static VOID Image(IMG, VOID *) { if (How("image")) { Inner(1); n++; } }
static VOID Thread(THREADID, CONTEXT *, INT32, VOID *) { if (How("thread")) { Inner(1); n++; } }
static VOID Syscall(THREADID, CONTEXT *, SYSCALL_STANDARD, VOID *) { if (How("syscall")) { Inner(1); n++; } }
static VOID Fini(INT32, VOID *) { if (How("fini")) { Inner(1); n++; } }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    if (How("main"))
        Inner(1);
    if (How("internal"))
        PIN_SpawnInternalThread(Internal, 0, 0, 0);
    INS_AddInstrumentFunction(Instruction, 0);
    IMG_AddInstrumentFunction(Image, 0);
    PIN_AddThreadStartFunction(Thread, 0);
    PIN_AddSyscallEntryFunction(Syscall, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
