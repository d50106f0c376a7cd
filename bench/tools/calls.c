/* calls: a call to a routine that is not inlined, before every block (or only in `-rtn NAME`): -args says with how many
 * arguments. */
#include <pin.h>
#include <string.h>

KNOB_TEXT(args, "args", "0", "0 or 4 arguments");
KNOB_TEXT(rtn, "rtn", "", "only in the routine with this name");
static UINT64 count;

/* A jump backwards, never taken, keeps the routines from being inlined. */
#define NOT_INLINED __asm__ volatile("xor %%eax, %%eax; 1: test %%eax, %%eax; jnz 1b" ::: "rax", "cc")
static VOID none(void) { NOT_INLINED; }
static VOID four(ADDRINT ip, ADDRINT sp, ADDRINT ax, UINT32 n)
{
    NOT_INLINED;
    __asm__ volatile("" : : "r"(ip), "r"(sp), "r"(ax), "r"(n));
}

static VOID insert(BBL bbl)
{
    count++;
    if (args[0] == '4')
        BBL_InsertCall(bbl, IPOINT_BEFORE, AFUNPTR(four), IARG_INST_PTR, IARG_REG_VALUE, REG_STACK_PTR, IARG_REG_VALUE, REG_GAX,
                       IARG_UINT32, BBL_NumIns(bbl), IARG_END);
    else
        BBL_InsertCall(bbl, IPOINT_BEFORE, AFUNPTR(none), IARG_END);
}

static VOID instrument(TRACE trace, VOID *v)
{
    RTN r = TRACE_Rtn(trace);
    if (rtn[0] && (!RTN_Valid(r) || strcmp(RTN_Name(r), rtn)))
        return;
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        insert(bbl);
}
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%lu places\n", count); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    PIN_InitSymbols();
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
