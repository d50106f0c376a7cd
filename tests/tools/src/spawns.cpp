/* Makes a second thread of the application's from the registers of its first one, at the function `second`, with a stack, a thread
 * pointer and a vector register that it chooses. */
#include "pin.H"
#include <cstdio>
static ADDRINT second;
static int born, dead, has_spawned;
static UINT64 in_second;

static VOID Spawn(const CONTEXT *here)
{
    if (__atomic_exchange_n(&has_spawned, 1, __ATOMIC_ACQ_REL))
        return;
    static ADDRINT stack[4096] __attribute__((aligned(64)));
    CONTEXT c;
    PIN_SaveContext(here, &c);
    UINT8 xmm3[16] = { 7, 7, 7, 7, 7, 7, 7, 7 };
    PIN_SetContextReg(&c, REG_RSP, (ADDRINT)&stack[4000 - 1]);
    PIN_SetContextReg(&c, REG_RIP, second);
    PIN_SetContextReg(&c, REG_RDI, 41);
    PIN_SetContextReg(&c, REG_SEG_FS_BASE, (ADDRINT)&stack[100]);
    PIN_SetContextRegval(&c, REG_XMM3, xmm3);
    if (!PIN_SpawnApplicationThread(&c)) {
        printf("not spawned\n");
        PIN_ExitProcess(9);
    }
}
static VOID CountSecond() { __atomic_fetch_add(&in_second, 1, __ATOMIC_RELAXED); }
static VOID Instruction(INS ins, VOID *)
{
    RTN r = INS_Rtn(ins);
    if (RTN_Valid(r) && RTN_Name(r) == "second")
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(CountSecond), IARG_END);
}
static VOID Image(IMG img, VOID *)
{
    RTN r = RTN_FindByName(img, "second"), here = RTN_FindByName(img, "spawn_here");
    if (!RTN_Valid(r))
        return;
    second = RTN_Address(r);
    RTN_Open(here);
    RTN_InsertCall(here, IPOINT_BEFORE, AFUNPTR(Spawn), IARG_CONST_CONTEXT, IARG_END);
    RTN_Close(here);
}
static VOID Start(THREADID, CONTEXT *, INT32, VOID *) { __atomic_fetch_add(&born, 1, __ATOMIC_RELAXED); }
static VOID End(THREADID, const CONTEXT *, INT32, VOID *) { __atomic_fetch_add(&dead, 1, __ATOMIC_RELAXED); }
static VOID Fini(INT32 code, VOID *) { printf("born %d dead %d instructions %lu code %d\n", born, dead, in_second, code); }

int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    CONTEXT fresh;
    if (PIN_GetContextReg(&fresh, REG_RAX) || PIN_GetContextReg(&fresh, REG_RIP))
        printf("a context that nobody filled is not empty\n");
    IMG_AddInstrumentFunction(Image, 0);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddThreadStartFunction(Start, 0);
    PIN_AddThreadFiniFunction(End, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
