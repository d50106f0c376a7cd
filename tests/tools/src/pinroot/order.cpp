/* An order whose operator() is not const: later standards forbid it, and the C++ library of Pin does not mind. */
#include "pin.H"
#include <set>

struct Longer { bool operator()(UINT32 a, UINT32 b) { return a > b; } };
static std::set<UINT32, Longer> lengths;
static VOID Instruction(INS ins, VOID *) { lengths.insert(INS_Size(ins)); }
static VOID Fini(INT32, VOID *) { std::cerr << "longest first: " << (*lengths.begin() > *lengths.rbegin()) << std::endl; }

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
