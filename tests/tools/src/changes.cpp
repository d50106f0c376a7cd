/* changes.cpp: every way to change what the program does: registers by reference, result, partial context, PIN_ExecuteAt;
 * instructions deleted and jumped over; system calls changed. */
#include "pin.H"
#include <string.h>
#include <sys/syscall.h>
using namespace std;

KNOB<string> How(KNOB_MODE_WRITEONCE, "pintool", "how", "none", "what to change");
static REGSET in, out;

static VOID Reference(UINT8 *reg) { *(UINT64 *)reg += 100; }
static ADDRINT Result(ADDRINT v) { return v + 1000; }
static VOID Partial(CONTEXT *c)
{
    PIN_SetContextReg(c, REG_RDI, PIN_GetContextReg(c, REG_RDI) * 2);
    double d = 10;
    PIN_SetContextRegval(c, REG_XMM0, (UINT8 *)&d);
}
static VOID Vector(UINT8 *xmm) { double d; memcpy(&d, xmm, 8); d += 0.25; memcpy(xmm, &d, 8); }
static VOID Elsewhere(const CONTEXT *c, ADDRINT target)
{
    CONTEXT n;
    PIN_SaveContext(c, &n);
    PIN_SetContextReg(&n, REG_INST_PTR, target);
    PIN_SetContextReg(&n, REG_RDI, 77);
    PIN_ExecuteAt(&n);
}

static bool in_routine(INS ins, const char *name)
{
    RTN rtn = INS_Rtn(ins);
    return RTN_Valid(rtn) && RTN_Name(rtn) == name && IMG_IsMainExecutable(SEC_Img(RTN_Sec(rtn)));
}
static bool is_first(INS ins) { return INS_Address(ins) == RTN_Address(INS_Rtn(ins)); }
static ADDRINT other_address;

static VOID Instruction(INS ins, VOID *v)
{
    string how = How;
    if (in_routine(ins, "add")) {
        if (how == "reference" && is_first(ins))
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Reference, IARG_REG_REFERENCE, REG_RDI, IARG_END);
        if (how == "result" && INS_IsRet(ins))
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Result, IARG_REG_VALUE, REG_RAX, IARG_RETURN_REGS, REG_RAX, IARG_END);
        if (how == "partial" && is_first(ins))
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Partial, IARG_PARTIAL_CONTEXT, &in, &out, IARG_END);
        if (how == "execute" && is_first(ins))
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Elsewhere, IARG_CONST_CONTEXT, IARG_ADDRINT, other_address, IARG_END);
        if (how == "jump" && is_first(ins))
            INS_InsertDirectJump(ins, IPOINT_BEFORE, other_address);
    }
    if (how == "delete" && in_routine(ins, "skip") && INS_Opcode(ins) == XED_ICLASS_ADD && INS_OperandIsImmediate(ins, 1) &&
        INS_OperandImmediate(ins, 1) == 1000)
        INS_Delete(ins);
    if (in_routine(ins, "scale") && INS_Opcode(ins) == XED_ICLASS_ADDSD) {
        if (how == "vector")
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Vector, IARG_REG_REFERENCE, REG_XMM0, IARG_END);
        if (how == "after")
            INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)Vector, IARG_REG_REFERENCE, REG_XMM0, IARG_END);
        if (how == "partial")
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Partial, IARG_PARTIAL_CONTEXT, &in, &out, IARG_END);
    }
}

static VOID Image(IMG img, VOID *v)
{
    RTN rtn = IMG_IsMainExecutable(img) ? RTN_FindByName(img, "other") : RTN_Invalid();
    if (RTN_Valid(rtn))
        other_address = RTN_Address(rtn);
}

static VOID Entry(THREADID tid, CONTEXT *c, SYSCALL_STANDARD std, VOID *v)
{
    if (How.Value() != "syscall")
        return;
    ADDRINT nr = PIN_GetSyscallNumber(c, std);
    if (nr == SYS_read && PIN_GetSyscallArgument(c, std, 0) == 77)
        PIN_SetSyscallNumber(c, std, SYS_getppid);
    if (nr == SYS_read && PIN_GetSyscallNumber(c, std) == SYS_read)
        nr = 0xffff;                                /* another read: not touched */
    PIN_SetThreadData(0, (VOID *)nr, tid);
}

static VOID Exit(THREADID tid, CONTEXT *c, SYSCALL_STANDARD std, VOID *v)
{
    if (How.Value() != "syscall")
        return;
    ADDRINT nr = (ADDRINT)PIN_GetThreadData(0, tid);
    if (nr == SYS_getpid)
        PIN_SetSyscallReturn(c, std, 4242);
    if (nr == SYS_read) {
        ADDRINT buf = PIN_GetSyscallArgument(c, std, 1);
        PIN_SafeCopy((VOID *)buf, "from tool", 10);
        PIN_SetSyscallReturn(c, std, 10);
    }
}

int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    PIN_CreateThreadDataKey(0);
    REGSET_AddAll(in);
    REGSET_Clear(out);
    REGSET_Insert(out, REG_RDI);
    REGSET_Insert(out, REG_XMM0);
    IMG_AddInstrumentFunction(Image, 0);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddSyscallEntryFunction(Entry, 0);
    PIN_AddSyscallExitFunction(Exit, 0);
    PIN_StartProgram();
}
