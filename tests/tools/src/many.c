/* many.c: asks for a number of calls at the program's first instruction; each is made once. */
#include <pin.h>
#include <stdlib.h>

KNOB_NUMBER(wanted, "calls", 1, "calls at the first instruction");
static INT64 asked, made;
static ADDRINT first;

__attribute__((noinline)) static VOID count(ADDRINT a, ADDRINT b)
{
    __asm__ volatile("" : : "r"(a), "r"(b) : "memory");
    made++;
}

static VOID instrument(INS ins, VOID *v)
{
    if (!first)
        first = INS_Address(ins);
    for (asked = first == INS_Address(ins) ? 0 : asked; asked < wanted; asked++)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(count), IARG_ADDRINT, (ADDRINT)0x123456789abcdef, IARG_ADDRINT, (ADDRINT)asked,
                       IARG_END);
}

static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "asked %ld made %ld\n", (long)asked, (long)made); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
