/* slowly.cpp: takes its time to look at code, and memory of its own; says at the end what it saw. */
#include "pin.H"
#include <cstdio>
#include <map>

static std::map<ADDRINT, UINT64> seen;
static UINT64 n;

static VOID count(UINT64 *at) { ++*at; }

static VOID look(TRACE trace, VOID *)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        for (int i = 0; i < 50; i++)
            seen[BBL_Address(bbl) + i * 4096] += 0;
        BBL_InsertCall(bbl, IPOINT_BEFORE, (AFUNPTR)count, IARG_PTR, &n, IARG_END);
    }
}

static VOID fini(INT32, VOID *) { fprintf(stderr, "report: %s\n", n ? "some" : "none"); }

int main(int argc, char **argv)
{
    PIN_Init(argc, argv);
    TRACE_AddInstrumentFunction(look, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
