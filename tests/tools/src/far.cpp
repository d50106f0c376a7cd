/* A counter for each block, further away than emitted code reaches, and more of them than the engine keeps near copies of. What
 * they sum up to is also counted by a routine that is always called. */
#include "pin.H"
#include <stdio.h>
#include <sys/mman.h>

static KNOB<BOOL> Any(KNOB_MODE_WRITEONCE, "pintool", "any", "0", "a routine that may write anywhere, too");
static KNOB<UINT32> Stride(KNOB_MODE_WRITEONCE, "pintool", "stride", "64", "bytes from counter to counter");
static const size_t SIZE = 1 << 28;
static char *pool;
static UINT64 n, total, place;

static VOID Add(UINT64 *to, UINT64 more) { *to += more; }
static VOID Put(ADDRINT *to, ADDRINT sp) { *to = sp; }
static VOID __attribute__((noinline)) Called(UINT32 more)
{
    for (volatile int i = 0; i < 1; i++)
        __atomic_fetch_add(&total, more, __ATOMIC_RELAXED);
}

static VOID Trace(TRACE trace, VOID *)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        UINT64 *to = (UINT64 *)(pool + n++ * Stride.Value());
        BBL_InsertCall(bbl, IPOINT_BEFORE, (AFUNPTR)Add, IARG_PTR, to, IARG_UINT64, (UINT64)BBL_NumIns(bbl), IARG_END);
        BBL_InsertCall(bbl, IPOINT_BEFORE, (AFUNPTR)Called, IARG_UINT32, BBL_NumIns(bbl), IARG_END);
        if (Any.Value() && n == 3000)
            BBL_InsertCall(bbl, IPOINT_BEFORE, (AFUNPTR)Put, IARG_PTR, &place, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    }
}

static VOID Fini(INT32, VOID *)
{
    UINT64 sum = 0;
    for (UINT64 i = 0; i < n; i++)
        sum += *(UINT64 *)(pool + i * Stride.Value());
    if (sum == total && n > 5000)
        fprintf(stderr, "equal\n");
    else
        fprintf(stderr, "%lu blocks: %lu, not %lu\n", n, sum, total);
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    pool = (char *)mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    TRACE_AddInstrumentFunction(Trace, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
