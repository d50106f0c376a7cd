/* Replays a signal that ends the program, at its first instruction: callbacks see it, then the program dies of it. */
#include "pin.H"
#include <signal.h>
#include <stdio.h>

static VOID Die(THREADID tid, CONTEXT *here)
{
    PIN_ReplayContextChange(tid, here, 0, CONTEXT_CHANGE_REASON_FATALSIGNAL, SIGTERM);
    fprintf(stderr, "it came back\n");
}
static VOID Instruction(INS ins, VOID *) { INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Die, IARG_THREAD_ID, IARG_CONTEXT, IARG_END); }
static VOID Change(THREADID, CONTEXT_CHANGE_REASON reason, const CONTEXT *from, CONTEXT *to, INT32 info, VOID *)
{
    fprintf(stderr, "%s %d to %s\n", reason == CONTEXT_CHANGE_REASON_FATALSIGNAL ? "fatal" : "other", info, to ? "somewhere" : "nowhere");
}
static VOID Fini(INT32 code, VOID *) { fprintf(stderr, "fini %d\n", code); }

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddContextChangeFunction(Change, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
