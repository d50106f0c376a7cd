/* bbcount: instructions executed: one global, one call per basic block. The ordinary counting tool. */
#include <pin.h>

static UINT64 count;
static VOID block(UINT32 n) { count += n; }

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        BBL_InsertCall(bbl, IPOINT_BEFORE, AFUNPTR(block), IARG_UINT32, BBL_NumIns(bbl), IARG_END);
}
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%lu instructions\n", count); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
