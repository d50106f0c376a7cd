/* Counts the instructions between the events of the region controller, and takes std names from its header. */
#include "pin.H"
#include "control_manager.H"
using namespace CONTROLLER;

static UINT64 n;
static BOOL inside;
static CONTROL_MANAGER control;
KNOB<string> KnobName(KNOB_MODE_WRITEONCE, "pintool", "name", "region", "what to call it");

static VOID Region(EVENT_TYPE ev, VOID *, CONTEXT *, VOID *, THREADID, BOOL) { inside = ev == EVENT_START; }
static VOID Add() { n += inside; }
static VOID Instruction(INS ins, VOID *) { INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Add, IARG_END); }
static VOID Fini(INT32, VOID *) { cerr << KnobName.Value() << " " << n << endl; }

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    control.RegisterHandler(Region, 0);
    control.Activate();
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
