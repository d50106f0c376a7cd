/* A tool that works with a debugger: a breakpoint of its own, commands, breakpoints taken over, registers, questions. */
#include "pin.H"
#include <iostream>

KNOB<BOOL> KnobStop(KNOB_MODE_WRITEONCE, "pintool", "stop", "0", "stop in the debugger at the third call of fact");
KNOB<BOOL> KnobWait(KNOB_MODE_WRITEONCE, "pintool", "wait", "0", "wait for the debugger there");
KNOB<BOOL> KnobTake(KNOB_MODE_WRITEONCE, "pintool", "take", "0", "keep breakpoints from the debugger");
KNOB<BOOL> KnobSquash(KNOB_MODE_WRITEONCE, "pintool", "squash", "0", "drop every second breakpoint event");
KNOB<BOOL> KnobMode(KNOB_MODE_WRITEONCE, "pintool", "mode", "0", "ask for the connection by PIN_SetDebugMode");

KNOB<BOOL> KnobEmulate(KNOB_MODE_WRITEONCE, "pintool", "emulate", "0", "a register of the tool's, in place of rbx");

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

static BOOL Break(ADDRINT addr, UINT size, BOOL insert, VOID *);
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
    else if (cmd == "forget")
        PIN_RemoveBreakpointHandler(Break);
    else if (cmd == "pending") {
        std::string msg;
        s << "pending " << PIN_GetStoppedThreadPendingToolBreakpoint(tid, &msg) << PIN_ChangePendingToolBreakpointOnStoppedThread(tid, TRUE, "") << "\n";
    } else if (cmd == "reset")
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

/* rbx as the debugger sees it. */
static ADDRINT shown = 4711;
static VOID Get(unsigned id, THREADID, CONTEXT *, VOID *data, VOID *) { *(ADDRINT *)data = id == 7 ? shown : 0; }
static VOID Set(unsigned id, THREADID, CONTEXT *, const VOID *data, VOID *) { shown = id == 7 ? *(const ADDRINT *)data : 0; }

static VOID Emulate()
{
    static const DEBUGGER_REG_DESCRIPTION list[] = {
        { REG_RAX, 0, 64, "rax", 0 }, { REG_INVALID(), 7, 64, "rbx", 3 }, { REG_RCX, 0, 64, "rcx", 2 }, { REG_RDX, 0, 64, "rdx", 1 },
        { REG_RSI, 0, 64, "rsi", 4 }, { REG_RDI, 0, 64, "rdi", 5 }, { REG_RBP, 0, 64, "rbp", 6 }, { REG_RSP, 0, 64, "rsp", 7 },
        { REG_R8, 0, 64, "r8", 8 }, { REG_R9, 0, 64, "r9", 9 }, { REG_R10, 0, 64, "r10", 10 }, { REG_R11, 0, 64, "r11", 11 },
        { REG_R12, 0, 64, "r12", 12 }, { REG_R13, 0, 64, "r13", 13 }, { REG_R14, 0, 64, "r14", 14 }, { REG_R15, 0, 64, "r15", 15 },
        { REG_RIP, 0, 64, "rip", 16 }, { REG_RFLAGS, 0, 32, "eflags", -1 } };
    PIN_AddDebuggerRegisterEmulator(sizeof list / sizeof *list, list, Get, Set, 0, 0);
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
    if (KnobEmulate)
        Emulate();
    IMG_AddInstrumentFunction(Image, 0);
    PIN_AddDebugInterpreter(Command, 0);
    PIN_AddBreakpointHandler(Break, 0);
    PIN_InterceptDebuggingEvent(DEBUGGING_EVENT_BREAKPOINT, Event, 0);
    PIN_StartProgram();
}
