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

/* Versions may be pointers. Ahead of time: the first instruction of a routine selects, by its argument; what it calls stays in that
 * version until a return. */
static const char *const name[] = { "", "odd", "even" };
static UINT64 by_name[3];
static ADDRINT Select(ADDRINT arg, ADDRINT last)                  /* anew in the version that was chosen: go on */
{
    ADDRINT wanted = arg % 2 ? 1 : 2;
    return last == wanted ? 0 : wanted;
}
static VOID CountNamed(UINT32 n) { by_name[n]++; }
static VOID Image(IMG img, VOID *)
{
    RTN rtn = IMG_IsMainExecutable(img) ? RTN_FindByName(img, "chosen") : RTN_Invalid();
    if (!RTN_Valid(rtn))
        return;
    RTN_Open(rtn);
    INS ins = RTN_InsHeadOnly(rtn);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Select, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_REG_VALUE, reg,
                   IARG_RETURN_REGS, reg, IARG_END);
    for (INT32 v = 1; v < 3; v++)
        INS_InsertVersionCase(ins, reg, v, (ADDRINT)name[v], IARG_END);
    RTN_Close(rtn);
}
static VOID Named(TRACE trace)
{
    ADDRINT version = TRACE_Version(trace);
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        INS tail = BBL_InsTail(bbl);
        UINT32 n = version == (ADDRINT)name[1] ? 1 : version == (ADDRINT)name[2] ? 2 : 0;
        if (n && INS_IsRet(tail)) {
            INS_InsertCall(tail, IPOINT_BEFORE, (AFUNPTR)CountNamed, IARG_UINT32, n, IARG_END);
            BBL_SetTargetVersion(bbl, 0);
        }
    }
}

static VOID Trace(TRACE trace, VOID *)
{
    ADDRINT version = TRACE_Version(trace);
    if (KnobHow.Value() == "named") {
        Named(trace);
        return;
    }
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
    if (KnobHow.Value() == "named") {
        fprintf(stderr, "odd %lu even %lu\n", by_name[1], by_name[2]);
        return;
    }
    fprintf(stderr, "total %lu sum %lu wrong %lu\n", total, in[0] + in[1] + in[2] + in[3], wrong);
    fprintf(stderr, "versions%s%s%s%s\n", in[0] ? " 0" : "", in[1] ? " 1" : "", in[2] ? " 2" : "", in[3] ? " 3" : "");
}

int main(int argc, char **argv)
{
    PIN_InitSymbolsAlt(EXPORT_SYMBOLS);                 /* "chosen" is in .symtab only */
    if (PIN_Init(argc, argv))
        return 1;
    reg = PIN_ClaimToolRegister();
    if (KnobHow.Value() == "named")
        IMG_AddInstrumentFunction(Image, 0);
    TRACE_AddInstrumentFunction(Trace, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
