/* versions.cpp: every instruction is counted once, in the version that the tool wants at that moment. */
#include "pin.H"

static KNOB<std::string> KnobHow(KNOB_MODE_WRITEONCE, "pintool", "how", "cases", "cases: change every 100 instructions; blocks: at calls and returns");
static UINT64 total, in[4], wrong;
static REG reg;

/* Idempotent: asked again in the new version it says the same. */
static ADDRINT Wanted() { return total / 100 % 3; }
static VOID Count(UINT32 version, ADDRINT wanted)
{
    total++;
    in[version]++;
    wrong += version != wanted;
}
static VOID CountIn(UINT32 version)
{
    total++;
    in[version]++;
}

static VOID Cases(INS ins, ADDRINT version)
{
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Wanted, IARG_RETURN_REGS, reg, IARG_CALL_ORDER, CALL_ORDER_FIRST, IARG_END);
    for (INT32 v = 0; v < 3; v++)
        if ((ADDRINT)v != version)
            INS_InsertVersionCase(ins, reg, v, v, IARG_CALL_ORDER, CALL_ORDER_FIRST + 50, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Count, IARG_UINT32, (UINT32)version, IARG_REG_VALUE, reg, IARG_END);
}

static VOID Trace(TRACE trace, VOID *)
{
    ADDRINT version = TRACE_Version(trace);
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
            if (KnobHow.Value() == "cases")
                Cases(ins, version);
            else
                INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)CountIn, IARG_UINT32, (UINT32)version, IARG_END);
        if (KnobHow.Value() != "cases" && INS_IsCall(BBL_InsTail(bbl)))
            BBL_SetTargetVersion(bbl, 3);
        if (KnobHow.Value() != "cases" && INS_IsRet(BBL_InsTail(bbl)))
            BBL_SetTargetVersion(bbl, 0);
    }
}

static VOID Fini(INT32, VOID *)
{
    fprintf(stderr, "total %lu sum %lu wrong %lu\n", total, in[0] + in[1] + in[2] + in[3], wrong);
    fprintf(stderr, "versions%s%s%s%s\n", in[0] ? " 0" : "", in[1] ? " 1" : "", in[2] ? " 2" : "", in[3] ? " 3" : "");
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    reg = PIN_ClaimToolRegister();
    TRACE_AddInstrumentFunction(Trace, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
