/* sample: look at every millionth block: an If that counts down, a Then that is rarely called. */
#include <pin.h>

enum { PERIOD = 1000000 };
static INT64 left = PERIOD;
static UINT64 samples, sum;
static ADDRINT due(void) { return --left == 0; }
static VOID take(ADDRINT ip)
{
    left = PERIOD;
    samples++;
    sum += ip;
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        BBL_InsertIfCall(bbl, IPOINT_BEFORE, AFUNPTR(due), IARG_END);
        BBL_InsertThenCall(bbl, IPOINT_BEFORE, AFUNPTR(take), IARG_INST_PTR, IARG_END);
    }
}
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%lu samples, %lu left\n", samples, left); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
