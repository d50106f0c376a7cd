/* inscount0: instructions executed: one call per instruction, nothing left to the tool's cleverness. */
#include <pin.h>

static UINT64 count;
static VOID one(void) { count++; }
static VOID instrument(INS ins, VOID *v) { INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(one), IARG_END); }
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%lu instructions\n", count); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
