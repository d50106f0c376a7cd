/* A tool that is prepared for systems with and without system-call callbacks: it must see each call once. Also: the opcode of a
 * repeated string instruction is the plain one, its mnemonic is not; any instruction may be asked whether it is taken. */
#include <stdio.h>
#include "pin.H"

static UINT64 stack, taken, entries, exits, befores, afters;
static std::set<ADDRINT> repeated, named;       /* an instruction may be looked at several times */

static VOID Entry(THREADID, CONTEXT *, SYSCALL_STANDARD, VOID *) { entries++; }
static VOID Exit(THREADID, CONTEXT *, SYSCALL_STANDARD, VOID *) { exits++; }
static VOID Before() { befores++; }
static VOID After() { afters++; }
static VOID Taken(BOOL is) { taken += is; }
static VOID Stack(ADDRINT sp, ADDRINT address, ADDRINT below) { stack += address == sp - below; }

static VOID Instruction(INS ins, VOID *)
{
    if (INS_IsSyscall(ins) && INS_IsValidForIpointAfter(ins)) {
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Before, IARG_END);
        INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)After, IARG_END);
    }
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Taken, IARG_BRANCH_TAKEN, IARG_END);
    if (INS_IsStackWrite(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Stack, IARG_REG_VALUE, REG_STACK_PTR, IARG_MEMORYWRITE_EA, IARG_ADDRINT, (ADDRINT)8, IARG_END);
    if (INS_IsStackRead(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Stack, IARG_REG_VALUE, REG_STACK_PTR, IARG_MEMORYREAD_EA, IARG_ADDRINT, (ADDRINT)0, IARG_END);
    if (INS_HasRealRep(ins)) {
        if (INS_Opcode(ins) == XED_ICLASS_STOSB || INS_Opcode(ins) == XED_ICLASS_MOVSB || INS_Opcode(ins) == XED_ICLASS_SCASB)
            repeated.insert(INS_Address(ins));
        if (INS_Mnemonic(ins) == "REP_STOSB" || INS_Mnemonic(ins) == "REP_MOVSB" || INS_Mnemonic(ins) == "REPNE_SCASB")
            named.insert(INS_Address(ins));
    }
}

static VOID Fini(INT32, VOID *)
{
    fprintf(stderr, "entries %lu exits %lu instructions %lu %lu repeated %lu named %lu taken %lu stack %lu\n", entries, exits, befores, afters, repeated.size(), named.size(), taken, stack);
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    if (SEC_Valid(IMG_SecHead(IMG_FindByAddress(16))))
        return 2;
    PIN_AddSyscallEntryFunction(Entry, 0);
    PIN_AddSyscallExitFunction(Exit, 0);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
