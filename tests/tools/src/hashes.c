/* hashes.c: a routine that stands in the trace in front of each memory operand and needs more registers than are free there: several are
 * parked for it. */
#include <pin.h>

static UINT32 table[256];
static UINT8 seen[4096];
static VOID note(ADDRINT pc, ADDRINT a)
{
    UINT32 h = (UINT32)(a >> 4 ^ pc);
    seen[h & 4095] = (UINT8)(seen[h & 4095] * 3 + table[a >> 3 & 255] + h);
}

static VOID instrument(INS ins, VOID *v)
{
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins) && INS_IsStandardMemop(ins); k++)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(note), IARG_INST_PTR, IARG_MEMORYOP_EA, k, IARG_END);
}
static VOID fini(INT32 code, VOID *v)
{
    UINT64 all = 0;
    for (int i = 0; i < 4096; i++)
        all = all * 31 + seen[i];
    fprintf(stderr, "%lx\n", (unsigned long)all);
}

int main(int argc, char **argv)
{
    for (UINT32 k = 0; k < 256; k++)
        table[k] = k * k;
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
