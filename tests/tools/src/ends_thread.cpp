/* Ends each application thread that calls `spin` for the fifth time. */
#include "pin.H"
#include <cstdio>
static int dead, code_sum;
static __thread int calls;
static VOID Spin()
{
    if (++calls == 5)
        PIN_ExitThread(7);
}
static VOID Image(IMG img, VOID *)
{
    RTN r = RTN_FindByName(img, "spin");
    if (!RTN_Valid(r))
        return;
    RTN_Open(r);
    RTN_InsertCall(r, IPOINT_BEFORE, AFUNPTR(Spin), IARG_END);
    RTN_Close(r);
}
static VOID End(THREADID, const CONTEXT *, INT32 code, VOID *)
{
    __atomic_fetch_add(&dead, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&code_sum, code, __ATOMIC_RELAXED);
}
static VOID Fini(INT32 code, VOID *) { printf("dead %d codes %d code %d\n", dead, code_sum, code); }
int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(Image, 0);
    PIN_AddThreadFiniFunction(End, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
