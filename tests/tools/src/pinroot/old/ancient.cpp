/* A tool as they were written for Pin 2: std names bare, the macros and types of then. */
#include "portability.H"
#include "pin.H"
#include "instlib.H"
#include <iostream>

LOCALVAR INSTLIB::CONTROL control;
LOCALVAR PIN_LOCK lock_;
LOCALVAR map<string, UINT64> calls;
LOCALVAR UINT64 rax_sum = 0;
KNOB<string> KnobWords(KNOB_MODE_WRITEONCE, "pintool", "words", "a  bc d", "words to count");

LOCALFUN VOID Handler(INSTLIB::CONTROL_EVENT ev, VOID *v, CONTEXT *ctxt, VOID *ip, THREADID tid)
{
    if (ev == INSTLIB::CONTROL_START)
        cerr << "region begins" << endl;
}

LOCALFUN VOID See(PIN_REGISTER *reg, ADDRINT ip)
{
    GetLock(&lock_, 1);
    rax_sum += reg->qword[0] != 0;
    ReleaseLock(&lock_);
}

LOCALFUN VOID Enter(string *name) { calls[*name]++; }

GLOBALFUN VOID Routine(RTN rtn, VOID *v)
{
    if (RTN_Name(rtn) != "walk")
        return;
    RTN_Open(rtn);
    RTN_InsertCall(rtn, IPOINT_BEFORE, AFUNPTR(Enter), IARG_PTR, new string(RTN_Name(rtn)), IARG_END);
    INS_InsertCall(RTN_InsHead(rtn), IPOINT_BEFORE, AFUNPTR(See), IARG_REG_CONST_REFERENCE, REG_STACK_PTR, IARG_INST_PTR, IARG_END);
    RTN_Close(rtn);
}

VOID Fini(INT32 code, VOID *v)
{
    string words[2];
    UINT32 n = Tokenize(KnobWords.Value(), words, 2);
    cerr << "walk " << dec << calls["walk"] << " stack pointers " << rax_sum << " words " << n << words[1] << endl;
}

int main(int argc, char *argv[])
{
    InitLock(&lock_);
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return -1;
    control.CheckKnobs(Handler, 0);
    RTN_AddInstrumentFunction(Routine, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
    return 0;
}
