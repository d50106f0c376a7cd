/* Takes streams from pin.H without a prefix, as was possible before Pin 3.8, and has names of its own that std has too. */
#include "pin.H"
struct issue { int n; issue *next; };
issue *list = NULL;
UINT64 count = 0;
static VOID Add() { count++; }
static VOID Instruction(INS ins, VOID *) { INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Add, IARG_END); }
static VOID Fini(INT32, VOID *) { cerr << "own names " << (count > 1000 && !list) << endl; }
int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
