// names.cpp: a tool whose global names are also the engine's own.
#include "pin.H"
#include <iostream>

UINT64 stats, opt, hooks, callbacks, relocate;
extern "C" {
int image_at(int x) { return x + 1; }
int block_of(int x) { return x * 2; }
}

VOID count() { stats++; }
VOID Ins(INS ins, VOID *) { INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)count, IARG_END); }

VOID Fini(INT32, VOID *)
{
    std::cerr << (stats > 100) << image_at(1) << block_of(2) << opt + hooks + callbacks + relocate << std::endl;
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(Ins, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
