/* misaligned.c: an analysis routine that is short enough to be inlined and counts in a word that is not aligned. */
#include "pin.h"
#include <stdio.h>

static char room[64] __attribute__((aligned(16)));
static volatile UINT64 aligned;
static VOID count(VOID) { (*(volatile UINT64 *)(room + 1))++; }
static VOID count_aligned(VOID) { aligned++; }

static VOID look(INS ins, VOID *v)
{
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(count), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(count_aligned), IARG_END);
}

static VOID fini(INT32 code, VOID *v) { fprintf(stderr, aligned > 10000 && *(UINT64 *)(room + 1) == aligned ? "equal\n" : "differs\n"); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(look, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
