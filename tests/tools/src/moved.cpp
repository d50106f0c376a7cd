/* moved.cpp: all memory operands of a program through tool registers, at their own addresses; and those of one buffer at another. */
#include "pin.H"

static KNOB<BOOL> KnobSame(KNOB_MODE_WRITEONCE, "pintool", "same", "0", "leave all operands where they are");
static KNOB<ADDRINT> KnobFrom(KNOB_MODE_WRITEONCE, "pintool", "from", "0", "addresses from here on");
static KNOB<ADDRINT> KnobSize(KNOB_MODE_WRITEONCE, "pintool", "size", "0", "so many");
static REG reg[4];
static UINT64 moved;
static CHAR elsewhere[1 << 20] __attribute__((aligned(4096)));

static ADDRINT Move(ADDRINT ea)
{
    if (KnobSame || ea - KnobFrom.Value() >= KnobSize.Value())
        return ea;
    moved++;
    return (ADDRINT)elsewhere + (ea - KnobFrom.Value());
}

static BOOL IsOdd(INS ins) { return INS_HasScatteredMemoryAccess(ins) || INS_IsMaskMov(ins) || INS_Opcode(ins) == XED_ICLASS_XLAT || INS_Opcode(ins) == XED_ICLASS_ENTER; }

static VOID Instruction(INS ins, VOID *)
{
    for (UINT32 m = 0; m < INS_MemoryOperandCount(ins) && !IsOdd(ins); m++) {
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Move, IARG_MEMORYOP_EA, m, IARG_RETURN_REGS, reg[m], IARG_CALL_ORDER,
                       CALL_ORDER_LAST, IARG_END);
        INS_RewriteMemoryOperand(ins, m, reg[m]);
    }
}
static VOID Fini(INT32, VOID *) { if (!KnobSame) fprintf(stderr, "moved %s\n", moved ? "some" : "none"); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    for (REG &r : reg)
        r = PIN_ClaimToolRegister();
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
