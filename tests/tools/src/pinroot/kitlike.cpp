/* What tools of the kit use beside the interface: a helper in assembly, C's atomic names, the skipper, the macro for a message that
 * ends the tool. Its rule names the libraries of the kit itself. */
#include "pin.H"
#include "instlib.H"
#include "tool_macros.h"
#include "atomic.hpp"
#include <stdatomic.h>
#include <stdio.h>

extern "C" ADDRINT HelperAnswer(ADDRINT n) ASMNAME("HelperAnswer");
static atomic_flag seen = ATOMIC_FLAG_INIT;
static INSTLIB::SKIPPER skipper;
static KNOB<BOOL> Fail(KNOB_MODE_WRITEONCE, "pintool", "fail", "0", "end with a message");
static KNOB<BOOL> Misuse(KNOB_MODE_WRITEONCE, "pintool", "misuse", "0", "ask for what no instruction has");
namespace own { typedef unsigned UINT32; }              /* tools have such names of their own: IARG_END does not mind */
using namespace own;
static VOID Nothing(ANYADDR) { ATOMIC::OPS::Delay(MIN(1, 2)); }
static VOID Instruction(INS ins, VOID *)
{
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Nothing, IARG_MEMORYOP_EA, 99, IARG_END);
}

static VOID Fini(INT32, VOID *)
{
    BOOL before = atomic_flag_test_and_set(&seen);
    fprintf(stderr, "answer %lu seen %d then %d\n", HelperAnswer(41), before, atomic_flag_test_and_set(&seen));
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    if (Fail.Value())
        ASSERTQ("asked to fail");
    if (Misuse.Value())
        INS_AddInstrumentFunction(Instruction, 0);
    skipper.CheckKnobs(0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
