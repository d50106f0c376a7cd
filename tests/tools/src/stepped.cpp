/* stepped.cpp: a call with all registers before each instruction; says whether any had the trap flag. */
#include "pin.H"
#include <cstdio>

static UINT64 n, traps;

static VOID look(CONTEXT *c)
{
    n++;
    traps += PIN_GetContextReg(c, REG_RFLAGS) >> 8 & 1;
}

static VOID each(INS ins, VOID *) { INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)look, IARG_CONTEXT, IARG_END); }
static VOID fini(INT32, VOID *) { fprintf(stderr, "%s %lu\n", n > 1000 ? "many" : "few", (unsigned long)traps); }

int main(int argc, char **argv)
{
    PIN_Init(argc, argv);
    INS_AddInstrumentFunction(each, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
