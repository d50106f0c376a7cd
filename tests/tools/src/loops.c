/* loops.c: counts instructions, one call for each, and with -read looks at the count in a callback for signals. */
#include <pin.h>
#include <signal.h>

KNOB_FLAG(read_it, "read", "note what the count is when signals come");
static UINT64 count, noted, n_noted;

static VOID one(VOID) { count++; }
static VOID instrument(INS ins, VOID *v) { INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(one), IARG_END); }

/* Faults come at known places: the count there must be exact. */
static VOID change(THREADID thread, CONTEXT_CHANGE_REASON reason, const CONTEXT *from, CONTEXT *to, INT32 info, VOID *v)
{
    if (reason != CONTEXT_CHANGE_REASON_SIGNAL || info != SIGSEGV)
        return;
    noted = noted * 31 + count;
    n_noted++;
}

static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "instructions %lu noted %lu %lx\n", count, n_noted, noted); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    if (read_it)
        PIN_AddContextChangeFunction(change, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
