/* exact.cpp: counts the instructions of work_* (exact_app.c) in one way or another, and knows at every entry how many there
 * must be. Whoever looks must find that number: a routine in the middle, one that throws, a signal callback, the end. */
#include "pin.H"
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

static KNOB<std::string> Kind(KNOB_MODE_WRITEONCE, "pintool", "kind", "global", "global, frame, tls, tid, atomic or pair");
static KNOB<BOOL> Threads(KNOB_MODE_WRITEONCE, "pintool", "threads", "0", "several threads: look at the end only");
static KNOB<std::string> At(KNOB_MODE_WRITEONCE, "pintool", "at", "before", "before or anywhere");

struct alignas(64) Padded { UINT64 n; };
static UINT64 count, twin[2], atomic_count, expected, looks, wrong;
static Padded by_tid[64];
static thread_local UINT64 mine;
static UINT64 ended;                            /* of threads that are over: their `mine` */

static VOID Global() { count++; }
__attribute__((optimize("O0"))) static VOID Frame(UINT32 n, ADDRINT ip) { count += n; }
static VOID Tls() { mine++; }
static VOID Tid(THREADID tid) { by_tid[tid].n++; }
static VOID Atomic() { __sync_fetch_and_add(&atomic_count, 1); }
static VOID Pair(UINT32 n) { twin[0] += n; twin[1] += 3 * n; }

static UINT64 Now()
{
    UINT64 sum = count + atomic_count + twin[0] + mine + ended;
    for (const Padded &p : by_tid)
        sum += p.n;
    return sum;
}

static VOID Look(UINT64 want)
{
    looks++;
    if (Threads || Now() == want)
        return;
    if (!wrong++)
        std::cerr << "look " << looks << ": " << Now() << " instead of " << want << std::endl;
}

/* Before the first instruction is counted. */
static VOID Enter(UINT32 which, ADDRINT a, ADDRINT b)
{
    Look(expected);
    UINT64 n = which == 0 ? 4 * a + 2 : which == 1 ? 5 : 3 + b;
    __sync_fetch_and_add(&expected, n);
    try {
        if (which == 1)
            throw n;
    } catch (UINT64 x) {
        Look(expected - x);
    }
}

/* work_fault has begun its third instruction; that one is going to begin again. */
static BOOL Fault(THREADID, INT32, CONTEXT *, BOOL, const EXCEPTION_INFO *, VOID *)
{
    Look(expected - 2);
    expected++;
    return TRUE;
}

static VOID Count(INS ins)
{
    IPOINT p = At.Value() == "before" ? IPOINT_BEFORE : IPOINT_ANYWHERE;
    const std::string &k = Kind.Value();
    if (k == "global")
        INS_InsertCall(ins, p, (AFUNPTR)Global, IARG_END);
    else if (k == "frame")
        INS_InsertCall(ins, p, (AFUNPTR)Frame, IARG_UINT32, 1, IARG_INST_PTR, IARG_END);
    else if (k == "tls")
        INS_InsertCall(ins, p, (AFUNPTR)Tls, IARG_END);
    else if (k == "tid")
        INS_InsertCall(ins, p, (AFUNPTR)Tid, IARG_THREAD_ID, IARG_END);
    else if (k == "atomic")
        INS_InsertCall(ins, p, (AFUNPTR)Atomic, IARG_END);
    else
        INS_InsertCall(ins, p, (AFUNPTR)Pair, IARG_UINT32, 1, IARG_END);
}

static VOID Instruction(INS ins, VOID *)
{
    static const char *const names[] = { "work_loop", "work_fault", "work_bytes" };
    RTN rtn = INS_Rtn(ins);
    for (UINT32 i = 0; RTN_Valid(rtn) && i < 3; i++) {
        if (RTN_Name(rtn) != names[i])
            continue;
        if (INS_Address(ins) == RTN_Address(rtn))
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Enter, IARG_UINT32, i, IARG_REG_VALUE, REG_RDI, IARG_REG_VALUE, REG_RSI,
                           IARG_CALL_ORDER, CALL_ORDER_FIRST, IARG_END);
        Count(ins);
    }
}

static VOID ThreadFini(THREADID, const CONTEXT *, INT32, VOID *)
{
    __sync_fetch_and_add(&ended, mine);
    mine = 0;
}

static VOID Fini(INT32, VOID *)
{
    bool may_lose = Threads && (Kind.Value() == "global" || Kind.Value() == "frame" || Kind.Value() == "pair");
    bool ok = may_lose ? Now() <= expected : Now() == expected && !wrong;
    if (Kind.Value() == "pair" && !Threads)
        ok = ok && twin[1] == 3 * twin[0];
    std::cerr << (ok && looks > 40 && expected > 2000 ? "exact" : "NOT EXACT") << std::endl;
    if (!ok)
        std::cerr << Now() << " of " << expected << std::endl;
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    PIN_InitSymbols();
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_InterceptSignal(SIGSEGV, Fault, 0);
    PIN_AddThreadFiniFunction(ThreadFini, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
