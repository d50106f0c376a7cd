/* values.c: what each instruction of the program (from `from` on) accesses, through every IARG that tells. */
#include <pin.h>
#include <string.h>

static ADDRINT data, fsbase, gsbase, from;

static const char *name(ADDRINT a, ADDRINT sp)
{
    static char text[4][64];
    static int k;
    char *t = text[k++ % 4];
    if (a >= fsbase && a < fsbase + 256)
        snprintf(t, 64, "fs+%ld", a - fsbase);
    else if (a >= gsbase && a < gsbase + 256)
        snprintf(t, 64, "gs+%ld", a - gsbase);
    else if (a + 4096 >= data && a < data + 4096)
        snprintf(t, 64, "data%+ld", a - data);
    else if (a + 4096 >= sp && a < sp + 4096)
        snprintf(t, 64, "sp%+ld", a - sp);
    else
        snprintf(t, 64, "0x%lx", a);
    return t;
}

static VOID begin(const char *text) { printf("%s", text); }
static VOID access_memory(const char *what, ADDRINT ea, UINT32 size, ADDRINT sp) { printf(" %s %s %u", what, name(ea, sp), size); }
static VOID explicit_address(ADDRINT ea, ADDRINT sp) { printf(" agen %s", name(ea, sp)); }
static VOID several(PIN_MULTI_MEM_ACCESS_INFO *m, ADDRINT sp)
{
    for (UINT32 i = 0; i < m->numberOfMemops; i++)
        printf(" %c%s:%u", m->memop[i].memopType == PIN_MEMOP_LOAD ? 'l' : 's', name(m->memop[i].memoryAddress, sp),
               m->memop[i].bytesAccessed);
}
static VOID executing(BOOL is, BOOL is_first) { printf(" exec %d first %d", is, is_first); }
static VOID branch(BOOL taken, ADDRINT target, ADDRINT ip) { printf(" taken %d to %+ld", taken, target - ip); }
static VOID end(VOID) { printf("\n"); }

static VOID instrument(INS ins, VOID *v)
{
    if (INS_Address(ins) < from || INS_Address(ins) > from + 1000)
        return;
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(begin), IARG_PTR, strdup(INS_Mnemonic(ins)), IARG_END);
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++) {
        if (INS_MemoryOperandIsRead(ins, k))
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(access_memory), IARG_PTR, "R", IARG_MEMORYOP_EA, k, IARG_MEMORYOP_SIZE, k,
                           IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
        if (INS_MemoryOperandIsWritten(ins, k))
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(access_memory), IARG_PTR, "W", IARG_MEMORYOP_EA, k, IARG_UINT32,
                           INS_MemoryOperandSize(ins, k), IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    }
    if (INS_MemoryOperandCount(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(several), IARG_MULTI_MEMORYACCESS_EA, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    if (INS_IsLea(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(explicit_address), IARG_EXPLICIT_MEMORY_EA, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    if (INS_IsPredicated(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(executing), IARG_EXECUTING, IARG_FIRST_REP_ITERATION, IARG_END);
    if (INS_IsControlFlow(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(branch), IARG_BRANCH_TAKEN, IARG_BRANCH_TARGET_ADDR, IARG_INST_PTR, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(end), IARG_END);
}

static VOID image(IMG img, VOID *v)
{
    for (SYM s = IMG_RegsymHead(img); SYM_Valid(s); s = SYM_Next(s))
        if (!strcmp(SYM_Name(s), "_start") && IMG_IsMainExecutable(img))
            from = SYM_Address(s);
    for (SEC s = IMG_SecHead(img); SEC_Valid(s) && IMG_IsMainExecutable(img); s = SEC_Next(s))
        if (!strcmp(SEC_Name(s), ".data")) {
            data = SEC_Address(s);
            fsbase = data + 2048;
            gsbase = fsbase + 256;
        }
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(image, 0);
    INS_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
