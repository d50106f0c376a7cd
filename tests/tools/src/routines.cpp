/* routines.cpp: calls at the entry and the return of routines, and routines replaced; what the program then computes. */
#include "pin.H"
using namespace std;

KNOB<string> Mode(KNOB_MODE_WRITEONCE, "pintool", "mode", "watch", "watch, replace or signature");

static UINT32 depth, deepest;
static AFUNPTR original;

static VOID Enter(ADDRINT n) { deepest = max(deepest, ++depth); }
static VOID Leave(ADDRINT result) { depth--; if (depth == 0) cerr << "fact " << result << endl; }
static VOID EnterTwice(ADDRINT a, ADDRINT f, ADDRINT h, ADDRINT *ref) { cerr << "twice " << a << " " << f << " " << h << endl; *ref = 100; }
static VOID LeaveTwice(ADDRINT *result) { *result += 1; }
static VOID Malloc(ADDRINT size, ADDRINT from) { if (size == 1234) cerr << "malloc 1234 from " << RTN_FindNameByAddress(from) << endl; }

static long NewTwice(long a, long b, long c, long d, long e, long f, long g, long h) { return a + b + c + d + e + f + g + h; }
static double NewHalf(double x) { return x * 10; }

static long NewFact(CONTEXT *ctxt, THREADID tid, AFUNPTR orig, long n, ADDRINT back)
{
    long r = 0;
    ASSERTX(orig == original && back != 0);
    PIN_CallApplicationFunction(ctxt, tid, CALLINGSTD_DEFAULT, orig, NULL, PIN_PARG(long), &r, PIN_PARG(long), n, PIN_PARG_END());
    long older = 0;                                 /* without the parameter that came with Pin 2.14 */
    PIN_CallApplicationFunction(ctxt, tid, CALLINGSTD_DEFAULT, orig, PIN_PARG(long), &older, PIN_PARG(long), n, PIN_PARG_END());
    ASSERTX(older == r);
    if (n == 10)                                    /* a result that nobody wants: no place for it is named */
        PIN_CallApplicationFunction(ctxt, tid, CALLINGSTD_DEFAULT, orig, NULL, PIN_PARG(void), PIN_PARG(long), n, PIN_PARG_END());
    return r + (n == 10);
}

static double NewHalf2(ADDRINT a) { return 7.5; }

static VOID Image(IMG img, VOID *v)
{
    RTN rtn;
    if (!IMG_IsMainExecutable(img)) {
        rtn = RTN_FindByName(img, "malloc");
        if (!RTN_Valid(rtn) || Mode.Value() != "watch")
            return;
        RTN_Open(rtn);
        RTN_InsertCall(rtn, IPOINT_BEFORE, (AFUNPTR)Malloc, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_RETURN_IP, IARG_END);
        RTN_Close(rtn);
        return;
    }
    RTN fact = RTN_FindByName(img, "fact"), twice = RTN_FindByName(img, "twice"), half = RTN_FindByName(img, "half");
    if (Mode.Value() == "watch") {
        RTN_Open(fact);
        RTN_InsertCall(fact, IPOINT_BEFORE, (AFUNPTR)Enter, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_END);
        RTN_InsertCall(fact, IPOINT_AFTER, (AFUNPTR)Leave, IARG_FUNCRET_EXITPOINT_VALUE, IARG_END);
        RTN_Close(fact);
        RTN_Open(twice);
        RTN_InsertCall(twice, IPOINT_BEFORE, (AFUNPTR)EnterTwice, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 5,
                       IARG_FUNCARG_ENTRYPOINT_VALUE, 7, IARG_FUNCARG_ENTRYPOINT_REFERENCE, 1, IARG_END);
        RTN_InsertCall(twice, IPOINT_AFTER, (AFUNPTR)LeaveTwice, IARG_FUNCRET_EXITPOINT_REFERENCE, IARG_END);
        RTN_Close(twice);
    } else if (Mode.Value() == "replace") {
        RTN_Replace(twice, (AFUNPTR)NewTwice);
        RTN_Replace(half, (AFUNPTR)NewHalf);
    } else {
        original = RTN_ReplaceSignature(fact, (AFUNPTR)NewFact, IARG_CONTEXT, IARG_THREAD_ID, IARG_ORIG_FUNCPTR,
                                        IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_RETURN_IP, IARG_END);
        PROTO p = PROTO_Allocate(PIN_PARG(double), CALLINGSTD_DEFAULT, "half", PIN_PARG_END());
        RTN_ReplaceSignature(half, (AFUNPTR)NewHalf2, IARG_PROTOTYPE, p, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_END);
        PROTO_Free(p);
    }
}

static VOID Fini(INT32 code, VOID *v) { if (deepest) cerr << "deepest " << deepest << endl; }

int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(Image, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
