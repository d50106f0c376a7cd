/* A tool for current headers: global names that would clash if pin.H said `using namespace std`. Counts the instructions of the
 * routines that the filter selects. */
#include "pin.H"
#include "instlib.H"
#include <stdio.h>

extern UINT64 Twice(UINT64 n);
UINT64 count;
static UINT32 byte = 1;
static INSTLIB::FILTER filter;

static VOID Add(UINT32 n) { count += n * byte; }
static VOID Trace(TRACE trace, VOID *)
{
    if (!filter.SelectTrace(trace))
        return;
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        BBL_InsertCall(bbl, IPOINT_ANYWHERE, (AFUNPTR)Add, IARG_UINT32, BBL_NumIns(bbl), IARG_END);
}
static VOID Fini(INT32, VOID *) { fprintf(stderr, "filtered %lu twice %lu\n", count, Twice(count)); }

int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    filter.Activate();
    TRACE_AddInstrumentFunction(Trace, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
