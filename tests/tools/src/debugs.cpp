/* A tool that works with a debugger: a breakpoint of its own, commands, breakpoints taken over, registers, questions. */
#include "pin.H"
#include <iostream>

KNOB<BOOL> KnobStop(KNOB_MODE_WRITEONCE, "pintool", "stop", "0", "stop in the debugger at the third call of fact");
KNOB<BOOL> KnobWait(KNOB_MODE_WRITEONCE, "pintool", "wait", "0", "wait for the debugger there");
KNOB<BOOL> KnobTake(KNOB_MODE_WRITEONCE, "pintool", "take", "0", "keep breakpoints from the debugger");
KNOB<BOOL> KnobSquash(KNOB_MODE_WRITEONCE, "pintool", "squash", "0", "drop every second breakpoint event");
KNOB<BOOL> KnobMode(KNOB_MODE_WRITEONCE, "pintool", "mode", "0", "ask for the connection by PIN_SetDebugMode");

static std::set<ADDRINT> kept;
static UINT64 calls, taken, events;
static bool has_stopped;

static VOID OnCall(const CONTEXT *ctxt, THREADID tid)
{
    if (has_stopped) {                          // made again after the breakpoint
        has_stopped = false;
        return;
    }
    if (++calls != 3)
        return;
    has_stopped = true;
    PIN_ApplicationBreakpoint(ctxt, tid, KnobWait, "the third call");
}

static VOID Image(IMG img, VOID *)
{
    RTN rtn = RTN_FindByName(img, "fact");
    if (!IMG_IsMainExecutable(img) || !RTN_Valid(rtn))
        return;
    if (!KnobStop)
        return;
    RTN_Open(rtn);
    RTN_InsertCall(rtn, IPOINT_BEFORE, (AFUNPTR)OnCall, IARG_CONST_CONTEXT, IARG_THREAD_ID, IARG_END);
    RTN_Close(rtn);
}

static BOOL Command(THREADID tid, CONTEXT *ctxt, const std::string &cmd, std::string *reply, VOID *)
{
    std::ostringstream s;
    if (cmd == "calls")
        s << "calls " << calls << "\n";
    else if (cmd == "where")
        s << RTN_FindNameByAddress(PIN_GetContextReg(ctxt, REG_INST_PTR)) << " in thread " << tid << "\n";
    else if (cmd == "first")
        s << "rdi " << PIN_GetContextReg(ctxt, REG_RDI) << "\n";
    else if (cmd == "set")
        PIN_SetContextReg(ctxt, REG_RDI, 6);
    else if (cmd == "status")
        s << (PIN_GetDebugStatus() == DEBUG_STATUS_CONNECTED ? "connected" : "not") << " "
          << (PIN_GetDebuggerType() == DEBUGGER_TYPE_GDB ? "gdb" : "?") << " "
          << (PIN_IsThreadStoppedInDebugger(tid) ? "stopped" : "running") << " taken " << taken << " events " << events << "\n";
    else if (cmd == "reset")
        for (ADDRINT a : kept)
            PIN_ResetBreakpointAt(a);
    else
        return FALSE;
    *reply = s.str();
    return TRUE;
}

static BOOL Break(ADDRINT addr, UINT size, BOOL insert, VOID *)
{
    taken += insert;
    kept.insert(addr);
    return KnobTake;
}

static BOOL Event(THREADID tid, DEBUGGING_EVENT e, CONTEXT *ctxt, VOID *)
{
    return !(KnobSquash && events++ % 2);
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    if (KnobMode) {
        DEBUG_MODE mode;
        mode._type = DEBUG_CONNECTION_TYPE_TCP_SERVER;
        mode._options = DEBUG_MODE_OPTION_STOP_AT_ENTRY;
        if (!PIN_SetDebugMode(&mode))
            std::cerr << "refused\n";
    }
    IMG_AddInstrumentFunction(Image, 0);
    PIN_AddDebugInterpreter(Command, 0);
    PIN_AddBreakpointHandler(Break, 0);
    PIN_InterceptDebuggingEvent(DEBUGGING_EVENT_BREAKPOINT, Event, 0);
    PIN_StartProgram();
}
