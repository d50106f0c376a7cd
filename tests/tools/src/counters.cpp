/* counters.cpp: the same number found in several ways: a call for each instruction, inlined and not; for each block, at every
 * point and with every order; for each trace's blocks with If and Then; with a tool register; and in a context. */
#include "pin.H"
using namespace std;

static UINT64 plain, called, blocks, anywhere, guarded, by_register, by_context, by_reference, after_or_taken, ordered;
static REG counter;
static UINT32 last_order;

static VOID count_inline() { plain++; }
static VOID count_called(ADDRINT ip) { volatile ADDRINT x = ip; called += x == ip; }
static VOID count_block(UINT32 n) { blocks += n; }
static VOID count_anywhere(UINT32 n) { anywhere += n; }
static ADDRINT is_wanted(UINT32 n) { return n != 0; }
static VOID count_guarded(UINT32 n) { guarded += n; }
static ADDRINT is_never() { return 0; }
static VOID never(UINT32 n) { guarded += 1000000; }
static ADDRINT add_one(ADDRINT n) { return n + 1; }
static VOID take_register(ADDRINT n) { by_register = n; }
static VOID count_context(const CONTEXT *c, ADDRINT ip) { by_context += PIN_GetContextReg(c, REG_INST_PTR) == ip; }
static VOID count_reference(UINT8 *reg) { by_reference++; (*(UINT64 *)reg)++; }
static VOID count_edge() { after_or_taken++; }
static VOID order_1() { last_order = 1; }
static VOID order_2() { ordered += last_order == 1; last_order = 2; }
static VOID order_3() { ordered += last_order == 2; last_order = 3; }
static REG spare;

static VOID Instruction(INS ins, VOID *v)
{
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)order_3, IARG_CALL_ORDER, CALL_ORDER_LAST, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)order_1, IARG_CALL_ORDER, CALL_ORDER_FIRST, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)order_2, IARG_CALL_ORDER, CALL_ORDER_FIRST + 1, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)count_inline, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)count_called, IARG_INST_PTR, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)add_one, IARG_REG_VALUE, counter, IARG_RETURN_REGS, counter, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)count_context, IARG_CONST_CONTEXT, IARG_INST_PTR, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)count_reference, IARG_REG_REFERENCE, spare, IARG_END);
    INS_InsertIfCall(ins, IPOINT_BEFORE, (AFUNPTR)is_never, IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, (AFUNPTR)never, IARG_UINT32, 1, IARG_END);
    if (INS_IsSyscall(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)take_register, IARG_REG_VALUE, counter, IARG_END);
    if (INS_IsValidForIpointAfter(ins))
        INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)count_edge, IARG_END);
    if (INS_IsValidForIpointTakenBranch(ins))
        INS_InsertCall(ins, IPOINT_TAKEN_BRANCH, (AFUNPTR)count_edge, IARG_END);
}

static VOID Trace(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        UINT32 n = BBL_NumIns(bbl);
        BBL_InsertCall(bbl, IPOINT_BEFORE, (AFUNPTR)count_block, IARG_UINT32, n, IARG_END);
        BBL_InsertCall(bbl, IPOINT_ANYWHERE, (AFUNPTR)count_anywhere, IARG_UINT32, n, IARG_END);
        BBL_InsertIfCall(bbl, IPOINT_BEFORE, (AFUNPTR)is_wanted, IARG_UINT32, n, IARG_END);
        BBL_InsertThenCall(bbl, IPOINT_BEFORE, (AFUNPTR)count_guarded, IARG_UINT32, n, IARG_END);
    }
}

static VOID Fini(INT32 code, VOID *v)
{
    cerr << dec << "plain " << plain << "\ncalled " << called << "\nblocks " << blocks << "\nanywhere " << anywhere << "\nguarded "
         << guarded << "\nregister " << by_register << "\ncontext " << by_context << "\nreference " << by_reference
         << "\nedges " << after_or_taken << "\nordered " << ordered << endl;
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    counter = PIN_ClaimToolRegister();
    spare = PIN_ClaimToolRegister();
    INS_AddInstrumentFunction(Instruction, 0);
    TRACE_AddInstrumentFunction(Trace, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
