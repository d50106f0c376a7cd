/* wants_three.c: routines that stand in the trace, in front of each instruction that reads memory: one whose registers are renamed, so
 * that one is parked, and one that keeps its own, which a shift names, so that others are stored around it. */
#include <pin.h>

static UINT64 sum, bins[64];
static VOID bin(ADDRINT a) { bins[a >> 3 & 63]++; }
static VOID shifts(ADDRINT a, ADDRINT b) { sum += (a & 0xffff) << (b & 15); }

static VOID instrument(INS ins, VOID *v)
{
    if (!INS_IsMemoryRead(ins) || !INS_IsStandardMemop(ins))
        return;
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(bin), IARG_MEMORYREAD_EA, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(shifts), IARG_REG_VALUE, REG_RDX, IARG_REG_VALUE, REG_RSI, IARG_END);
}
static VOID fini(INT32 code, VOID *v)
{
    UINT64 all = 0;
    for (int i = 0; i < 64; i++)
        all = all * 31 + bins[i];
    fprintf(stderr, "%lx %lx\n", (unsigned long)sum, (unsigned long)all);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
