/* sample_threads.c: a sampling tool as people write them, one global that all threads count down. */
#include <pin.h>

enum { PERIOD = 10000 };
static INT64 left = PERIOD;
static UINT64 samples;

static ADDRINT is_due(void) { return --left == 0; }
static VOID take(VOID)
{
    left = PERIOD;
    __atomic_add_fetch(&samples, 1, __ATOMIC_RELAXED);
}

static VOID instrument(INS ins, VOID *v)
{
    INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(is_due), IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(take), IARG_END);
}
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%lu\n", samples * PERIOD); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
