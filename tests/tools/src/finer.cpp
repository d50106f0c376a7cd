/* Finer points of the interface, one for each value of -what; finer.sh knows what each has to say. */
#include "pin.H"
#include <cstdio>
STATIC KNOB<std::string> What(KNOB_MODE_WRITEONCE, "pintool", "what", "", "which point");

/* ---- predicates of pairs: the If runs always, its Then only if the predicate is true ---- */
STATIC UINT64 executing, ifs, by[3];
STATIC VOID Executes(BOOL e) { executing += e; }
STATIC ADDRINT If() { ifs++; return 1; }
STATIC VOID Then(UINT32 k) { by[k]++; }
STATIC VOID Predicates(INS ins, VOID *)
{
    if (!INS_IsPredicated(ins))
        return;
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(Executes), IARG_EXECUTING, IARG_END);
    INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(If), IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(Then), IARG_UINT32, 0, IARG_END);
    INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(If), IARG_END);
    INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(Then), IARG_UINT32, 1, IARG_END);
    INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(If), IARG_END);
    INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(Then), IARG_UINT32, 2, IARG_END);
}
STATIC VOID PredicatesEnd(INT32, VOID *)
{
    bool agree = by[0] == executing && by[1] == executing && by[2] == executing;
    printf("pairs %s, some are not executed %d\n", agree ? "agree" : "differ", ifs > 3 * executing && executing);
}

/* ---- the base register beside the memory operand of a string instruction or a push is no register operand ---- */
STATIC UINT32 bases, registers;
STATIC VOID Bases(INS ins, VOID *)
{
    for (UINT32 n = 0; n < INS_OperandCount(ins); n++)
        if (INS_OperandNameId(ins, n) == XED_OPERAND_BASE0) {
            bases++;
            registers += INS_OperandIsReg(ins, n) || INS_OperandReg(ins, n) == REG_INVALID();
        }
}
STATIC VOID BasesEnd(INT32, VOID *) { printf("bases %d, registers among them %u\n", bases > 0, registers); }

/* ---- behind a repeated instruction: once for each iteration, not for none ---- */
STATIC UINT64 iterations, behind, behind_all;
STATIC VOID Iteration() { iterations++; }
STATIC VOID Behind() { behind++; }
STATIC VOID BehindAll() { behind_all++; }
STATIC VOID Repetitions(INS ins, VOID *)
{
    if (!INS_HasRealRep(ins))
        return;
    INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(Iteration), IARG_END);
    INS_InsertPredicatedCall(ins, IPOINT_AFTER, AFUNPTR(Behind), IARG_END);
    INS_InsertCall(ins, IPOINT_AFTER, AFUNPTR(BehindAll), IARG_END);
}
STATIC VOID RepetitionsEnd(INT32, VOID *)
{
    printf("iterations %lu behind %lu with those of none %lu\n", iterations, behind, behind_all);
}

/* ---- a routine that is abandoned with the client lock ---- */
STATIC VOID Keeps(CONTEXT *ctxt)
{
    PIN_LockClient();
    PIN_ExecuteAt(ctxt);
}
STATIC VOID KeepsLock(INS ins, VOID *) { INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(Keeps), IARG_CONTEXT, IARG_END); }

/* ---- a function that the tool calls has the tool registers of the context, and the caller gets its own back ---- */
STATIC REG mine;
STATIC ADDRINT other;
STATIC VOID Inner(ADDRINT v) { printf("inner %lu\n", v); }
STATIC VOID Outer(CONTEXT *ctxt, THREADID tid)
{
    PIN_SetContextReg(ctxt, mine, 1);
    PIN_CallApplicationFunction(ctxt, tid, CALLINGSTD_DEFAULT, AFUNPTR(other), NULL, PIN_PARG(void), PIN_PARG_END());
}
STATIC VOID Functions(IMG img, VOID *)
{
    RTN outer = RTN_FindByName(img, "outer"), inner = RTN_FindByName(img, "inner");
    if (!RTN_Valid(outer) || !RTN_Valid(inner))
        return;
    other = RTN_Address(inner);
    mine = PIN_ClaimToolRegister();
    RTN_Open(inner);
    RTN_InsertCall(inner, IPOINT_BEFORE, AFUNPTR(Inner), IARG_REG_VALUE, mine, IARG_END);
    RTN_Close(inner);
    RTN_ReplaceSignature(outer, AFUNPTR(Outer), IARG_CONTEXT, IARG_THREAD_ID, IARG_END);
}

/* ---- the x87 as a whole, changed by a partial context ---- */
STATIC VOID ClearStack(CONTEXT *c)
{
    FPSTATE f;
    PIN_GetContextFPState(c, &f);
    for (int i = 0; i < 8; i++)
        f.fxsave_legacy._sts[i]._raw._lo = f.fxsave_legacy._sts[i]._raw._hi = 0;
    PIN_SetContextFPState(c, &f);
}
STATIC VOID AfterLoads(INS ins, VOID *)
{
    REGSET in, out;
    REGSET_AddAll(in);
    REGSET_Clear(out);
    REGSET_Insert(out, REG_X87);
    if (INS_Opcode(ins) == XED_ICLASS_FLD1)
        INS_InsertCall(ins, IPOINT_AFTER, AFUNPTR(ClearStack), IARG_PARTIAL_CONTEXT, &in, &out, IARG_END);
}

STATIC VOID Leaves(THREADID, CONTEXT *ctxt, INT32, VOID *) { PIN_ExecuteAt(ctxt); }

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    if (What.Value() == "predicates") {
        INS_AddInstrumentFunction(Predicates, 0);
        PIN_AddFiniFunction(PredicatesEnd, 0);
    } else if (What.Value() == "bases") {
        INS_AddInstrumentFunction(Bases, 0);
        PIN_AddFiniFunction(BasesEnd, 0);
    } else if (What.Value() == "repetitions") {
        INS_AddInstrumentFunction(Repetitions, 0);
        PIN_AddFiniFunction(RepetitionsEnd, 0);
    } else if (What.Value() == "partial") {
        INS_AddInstrumentFunction(AfterLoads, 0);
    } else if (What.Value() == "keeps") {
        INS_AddInstrumentFunction(KeepsLock, 0);
    } else if (What.Value() == "functions") {
        PIN_InitSymbols();
        IMG_AddInstrumentFunction(Functions, 0);
    } else if (What.Value() == "leaves") {
        PIN_AddThreadStartFunction(Leaves, 0);
    } else if (What.Value() == "exits") {
        printf("printed before the end");
        PIN_ExitProcess(3);
    } else if (What.Value() == "numbers") {
        printf("%d %u %ld %g\n", Int32FromString("-333"), Uint32FromString("0Xb"), (long)Int64FromString("-5"), FLT64FromString("2.5"));
        Uint32FromString("a");
    } else if (What.Value() == "claims") {
        UINT32 n = 0;
        for (REG r = PIN_ClaimToolRegister(); REG_valid(r); r = PIN_ClaimToolRegister(), n++)
            if (r < REG_INST_TOOL_FIRST || r > REG_INST_TOOL_LAST)
                printf("claimed %d\n", (int)r);
        printf("claimed %s\n", n == REG_INST_TOOL_LAST - REG_INST_TOOL_FIRST + 1 ? "all" : "not all");
        exit(0);
    }
    PIN_StartProgram();
}
