/* looks.c: counts blocks. With -x87 its callback for new code computes with x87 registers and their modes, too. */
#include <pin.h>
#include <stdio.h>

KNOB_FLAG(with_x87, "x87", "callbacks use x87 registers");
static UINT64 count;
static volatile long double sum = 1;
static VOID add(UINT32 n) { count += n; }
static VOID look(TRACE t, VOID *v)
{
    for (BBL b = TRACE_BblHead(t); BBL_Valid(b); b = BBL_Next(b))
        BBL_InsertCall(b, IPOINT_ANYWHERE, (AFUNPTR)add, IARG_UINT32, BBL_NumIns(b), IARG_END);
}
static VOID look_with_x87(TRACE t, VOID *v)
{
    unsigned short control = 0x37f;
    __asm__ volatile("fldcw %0" : : "m"(control));
    sum = sum * 1.25L + TRACE_NumBbl(t);
    look(t, v);
}
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%s\n", count > 1000 ? "counted" : "too few"); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    TRACE_AddInstrumentFunction(with_x87 ? look_with_x87 : look, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
