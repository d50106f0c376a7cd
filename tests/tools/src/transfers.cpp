/* transfers.cpp: leaves out the transfer behind each nop of the program. */
#include "pin.H"
#include <set>
KNOB<bool> Leave(KNOB_MODE_WRITEONCE, "pintool", "leave", "0", "leave them as they are");
static std::set<ADDRINT> marked;

static VOID Instruction(INS ins, VOID *v)
{
    if (INS_IsNop(ins) && INS_Size(ins) == 1)
        marked.insert(INS_Address(ins) + 1);
    if (marked.count(INS_Address(ins)) && !Leave)
        INS_Delete(ins);
}

int main(int argc, char *argv[])
{
    PIN_Init(argc, argv);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_StartProgram();
}
