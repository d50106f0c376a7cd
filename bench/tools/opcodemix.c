/* opcodemix: how often each opcode is executed: one call per instruction with the opcode's number. */
#include <pin.h>

static UINT64 count[65536];
static VOID one(UINT32 opcode) { count[opcode]++; }
static VOID instrument(INS ins, VOID *v)
{
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(one), IARG_UINT32, INS_Opcode(ins), IARG_END);
}

static VOID fini(INT32 code, VOID *v)
{
    UINT64 sum = 0;
    for (UINT32 i = 0; i < 65536; i++)
        sum += count[i];
    fprintf(stderr, "%lu instructions\n", sum);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
