/* classified.c: the class of each instruction met is the same before and after it is decoded in full. */
#include <pin.h>

static UINT64 n_seen, n_differ;
static VOID ins(INS i, VOID *v)
{
    UINT32 opcode = INS_Opcode(i), category = (UINT32)INS_Category(i), extension = (UINT32)INS_Extension(i);
    n_seen++;
    INS_OperandCount(i);                            /* from here on there is a full view of it */
    if (opcode == INS_Opcode(i) && category == (UINT32)INS_Category(i) && extension == (UINT32)INS_Extension(i))
        return;
    n_differ++;
    fprintf(stderr, "differs: %s\n", INS_Disassemble(i));
}
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%s, %lu differ\n", n_seen > 10000 ? "many" : "few", n_differ); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(ins, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
