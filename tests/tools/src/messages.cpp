/* Messages of a tool, and IARG_BRANCH_TAKEN at system calls. */
#include "pin.H"
#include <stdio.h>

static KNOB<BOOL> KnobFail(KNOB_MODE_WRITEONCE, "pintool", "fail", "0", "fail an assertion at the end");
static UINT64 syscalls;

static VOID Count(BOOL taken) { syscalls += taken; }
static VOID Instruction(INS ins, VOID *)
{
    if (INS_IsSyscall(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Count, IARG_BRANCH_TAKEN, IARG_END);
}
static VOID Fini(INT32, VOID *)
{
    LOG("calls " + decstr(syscalls) + "\n");
    ASSERT(!KnobFail, "asked to fail");
}
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
