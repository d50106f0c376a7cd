/* short.c: what a tool sees of routines that stand in the trace of their caller: instructions, calls, returns and their targets;
 * every TRACE ends at its first call, jump or return. -astray N: the Nth return of `first` is sent to `astray`, by a routine that is
 * called. */
#include <pin.h>
#include <stdlib.h>
#include <string.h>

KNOB_TEXT(astray_at, "astray", "0", "which return of `first` goes astray");
static UINT64 n_ins, n_blocks, n_calls, n_returns, n_first, targets;
static UINT64 n_broken;
static UINT64 due;
static ADDRINT first_returns, astray;

static VOID count(UINT64 *what, UINT32 n) { *what += n; }
static VOID returns(ADDRINT *word)
{
    if (++n_first == due)
        __atomic_store_n(word, astray, __ATOMIC_SEQ_CST);
}
static VOID to(ADDRINT target) { targets = targets * 31 + target; }

static VOID ins(INS i, VOID *v)
{
    INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(count), IARG_PTR, &n_ins, IARG_UINT32, 1, IARG_END);
    if (INS_IsCall(i))
        INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(count), IARG_PTR, &n_calls, IARG_UINT32, 1, IARG_END);
    if (INS_IsRet(i))
        INS_InsertCall(i, IPOINT_TAKEN_BRANCH, AFUNPTR(count), IARG_PTR, &n_returns, IARG_UINT32, 1, IARG_END);
    if (due && INS_Address(i) == first_returns)
        INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(returns), IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    if (due && INS_IsControlFlow(i))
        INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(to), IARG_BRANCH_TARGET_ADDR, IARG_END);
}

static VOID trace(TRACE t, VOID *v)
{
    for (BBL b = TRACE_BblHead(t); BBL_Valid(b); b = BBL_Next(b)) {
        INS last = BBL_InsTail(b);
        BBL_InsertCall(b, IPOINT_BEFORE, AFUNPTR(count), IARG_PTR, &n_blocks, IARG_UINT32, BBL_NumIns(b), IARG_END);
        n_broken += BBL_Valid(BBL_Next(b)) && (INS_IsCall(last) || INS_IsRet(last) || !INS_HasFallThrough(last));
        for (INS i = BBL_InsHead(b); INS_Valid(INS_Next(i)); i = INS_Next(i))
            n_broken += INS_NextAddress(i) != INS_Address(INS_Next(i));
    }
}

static VOID image(IMG i, VOID *v)
{
    for (SYM s = IMG_RegsymHead(i); SYM_Valid(s); s = SYM_Next(s)) {
        if (!strcmp(SYM_Name(s), "first_returns"))
            first_returns = SYM_Address(s);
        if (!strcmp(SYM_Name(s), "astray"))
            astray = SYM_Address(s);
    }
}

static VOID fini(INT32 code, VOID *v)
{
    fprintf(stderr, "%lu instructions, %lu in blocks, %lu calls, %lu returns, %lu broken, targets %lx\n", n_ins, n_blocks, n_calls, n_returns,
            n_broken, targets);
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    due = strtoul(astray_at, NULL, 0);
    IMG_AddInstrumentFunction(image, 0);
    INS_AddInstrumentFunction(ins, 0);
    TRACE_AddInstrumentFunction(trace, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
