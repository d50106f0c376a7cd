/* leaves_all.c: every thread asks for the detach, from an analysis routine, over and over, when most of them have been met. */
#include <pin.h>
static UINT64 n_asked, n_threads;
static VOID ask(VOID)
{
    if (__atomic_add_fetch(&n_asked, 1, __ATOMIC_RELAXED) > 2000 && __atomic_load_n(&n_threads, __ATOMIC_RELAXED) > 5)
        PIN_Detach();
}
static VOID instrument(TRACE trace, VOID *v) { TRACE_InsertCall(trace, IPOINT_BEFORE, AFUNPTR(ask), IARG_END); }
static VOID met(THREADID t, CONTEXT *c, VOID *v) { __atomic_add_fetch(&n_threads, 1, __ATOMIC_RELAXED); }
static VOID detached(VOID *v) { fprintf(stderr, "detached once, %s threads\n", n_threads > 5 ? "many" : "few"); }
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddThreadAttachFunction(met, 0);
    PIN_AddDetachFunction(detached, 0);
    PIN_StartProgram();
}
