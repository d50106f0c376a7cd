/* bins.c: a histogram of addresses, by a routine that stands in the trace and takes two registers. */
#include <pin.h>

static UINT64 bins[256];
static VOID bin(ADDRINT x) { bins[x >> 6 & 255]++; }

static VOID instrument(INS ins, VOID *v)
{
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++)
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(bin), IARG_MEMORYOP_EA, k, IARG_END);
}
static VOID fini(INT32 code, VOID *v)
{
    UINT64 sum = 0;
    for (int k = 0; k < 256; k++)
        sum = sum * 31 + bins[k];
    fprintf(stderr, "%lx\n", (unsigned long)sum);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
