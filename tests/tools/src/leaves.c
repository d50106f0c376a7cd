/* leaves.c: counts a while, then gives the process back. */
#include <pin.h>
static UINT64 n;
static VOID count(VOID)
{
    if (++n == 20000)
        PIN_Detach();
}
static VOID instrument(INS ins, VOID *v) { INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(count), IARG_END); }
static VOID detached(VOID *v) { fprintf(stderr, "detached %d\n", n >= 20000); }
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "not detached\n"); }
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddDetachFunction(detached, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
