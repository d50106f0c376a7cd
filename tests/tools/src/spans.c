/* spans.c: routines that stand in the trace and want registers, with others between that are called, or only sometimes, or are shown a
 * register or all of them: what is parked for the first must be in place for the others. */
#include <pin.h>

static UINT8 seen[4096];
static UINT32 table[256];
static UINT64 called, rare, shown, values;

static VOID hash(ADDRINT pc, ADDRINT a)
{
    UINT32 h = (UINT32)(a >> 4 ^ pc);
    seen[h & 4095] = (UINT8)(seen[h & 4095] * 3 + table[a >> 3 & 255] + h);
}
static VOID mix(ADDRINT a, ADDRINT b) { values = values * 5 + (a ^ b >> 3); }
static ADDRINT is_rare(ADDRINT a, ADDRINT b) { return ((a >> 3 ^ b) & 31) == 0; }
static VOID on_rare(ADDRINT a) { rare = rare * 31 + a; }
static VOID __attribute__((noinline)) is_called(ADDRINT a)
{
    for (UINT32 k = 0; k < 3; k++)
        called = called * 31 + (a >> k);
}
static VOID is_shown(const CONTEXT *c)
{
    static const REG all[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12 };
    for (UINT32 k = 0; k < sizeof all / sizeof *all; k++)
        shown = shown * 31 + PIN_GetContextReg(c, all[k]);
}

static VOID instrument(INS ins, VOID *v)
{
    ADDRINT n = INS_Address(ins) * 2654435761u >> 7;      /* which calls it has does not depend on how traces are cut */
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins) && INS_IsStandardMemop(ins); k++) {
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(hash), IARG_INST_PTR, IARG_MEMORYOP_EA, k, IARG_END);
        if (n % 3 == 0) {
            INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(is_rare), IARG_MEMORYOP_EA, k, IARG_INST_PTR, IARG_END);
            INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(on_rare), IARG_MEMORYOP_EA, k, IARG_END);
        }
        if (n % 7 == 0)
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(is_called), IARG_MEMORYOP_EA, k, IARG_END);
        if (n % 31 == 0)
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(mix), IARG_REG_VALUE, REG_R9, IARG_REG_VALUE, REG_RSI, IARG_END);
    }
    if (n % 101 == 0)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(is_shown), IARG_CONST_CONTEXT, IARG_END);
}
static VOID fini(INT32 code, VOID *v)
{
    UINT64 all = 0;
    for (int i = 0; i < 4096; i++)
        all = all * 31 + seen[i];
    fprintf(stderr, "%lx %lx %lx %lx %lx\n", (unsigned long)all, (unsigned long)called, (unsigned long)rare, (unsigned long)shown, (unsigned long)values);
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
