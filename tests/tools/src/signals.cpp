/* signals.cpp: context changes and intercepted signals; exact counts of blocks although signals interrupt everything. */
#include "pin.H"
#include <signal.h>
using namespace std;

KNOB<BOOL> Swallow(KNOB_MODE_WRITEONCE, "pintool", "swallow", "0", "keep SIGUSR1 from the program");
static UINT32 to_handler[65], returns, fatal, seen_user, seen_fault;
static UINT64 entered, left_;

static VOID Change(THREADID tid, CONTEXT_CHANGE_REASON reason, const CONTEXT *from, CONTEXT *to, INT32 info, VOID *v)
{
    switch (reason) {
    case CONTEXT_CHANGE_REASON_SIGNAL:
        ASSERTX(PIN_GetContextReg(from, REG_INST_PTR) != PIN_GetContextReg(to, REG_INST_PTR));
        to_handler[info]++;
        break;
    case CONTEXT_CHANGE_REASON_SIGRETURN: returns++; break;
    case CONTEXT_CHANGE_REASON_FATALSIGNAL: fatal = info; ASSERTX(to == NULL); break;
    default: ASSERTX(false);
    }
}

static BOOL User(THREADID tid, INT32 sig, CONTEXT *ctxt, BOOL hasHandler, const EXCEPTION_INFO *info, VOID *v)
{
    ASSERTX(sig == SIGUSR1 && hasHandler && info == NULL);
    seen_user++;
    return !Swallow;
}

static BOOL Fault(THREADID tid, INT32 sig, CONTEXT *ctxt, BOOL hasHandler, const EXCEPTION_INFO *info, VOID *v)
{
    ADDRINT at = 0;
    ASSERTX(info && PIN_GetExceptionAddress(info) == PIN_GetContextReg(ctxt, REG_INST_PTR));
    ASSERTX(PIN_GetFaultyAccessAddress(info, &at) && at && PIN_GetFaultyAccessType(info) == FAULTY_ACCESS_WRITE);
    ASSERTX(PIN_GetExceptionClass(PIN_GetExceptionCode(info)) == EXCEPTCLASS_ACCESS_FAULT);
    seen_fault++;
    return TRUE;
}

static VOID Before() { entered++; }
static VOID After() { left_++; }

static VOID Instruction(INS ins, VOID *v)
{
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Before, IARG_END);
    if (INS_IsValidForIpointAfter(ins) || INS_IsSyscall(ins))
        INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)After, IARG_END);
    if (INS_IsValidForIpointTakenBranch(ins))
        INS_InsertCall(ins, IPOINT_TAKEN_BRANCH, (AFUNPTR)After, IARG_END);
}

static VOID Fini(INT32 code, VOID *v)
{
    cerr << "alarms " << (to_handler[SIGALRM] >= 200 ? "many" : "few") << " faults " << to_handler[SIGSEGV] << " users "
         << to_handler[SIGUSR1] << " seen " << seen_user << " " << seen_fault << " fatal " << fatal << endl;
    UINT32 all = to_handler[SIGALRM] + to_handler[SIGSEGV] + to_handler[SIGUSR1];
    cerr << (returns == all ? "each returned" : "some did not return") << endl;
    /* Not left: what faulted and was begun again, sigreturn, and the end. */
    UINT64 expected = to_handler[SIGSEGV] + returns + 1;
    if (entered - left_ != expected)
        cerr << "begun " << entered << " ended " << left_ << ": " << entered - left_ << " open, not " << expected << endl;
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    PIN_AddContextChangeFunction(Change, 0);
    PIN_InterceptSignal(SIGUSR1, User, 0);
    PIN_InterceptSignal(SIGSEGV, Fault, 0);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
