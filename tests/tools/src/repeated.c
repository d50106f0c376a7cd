/* repeated.c: counts instructions: by blocks, one by one, and in two words at once. Each iteration of a repeated one counts.
 * -sample: an If that counts down at each instruction instead, to a place that its Then chooses. */
#include <pin.h>

KNOB_FLAG(sample, "sample", "count down at each instruction");

static UINT64 by_block, one_by_one, small, large, repeated;
static VOID block(UINT32 n) { by_block += n; }
static VOID one(void) { one_by_one++; }
static VOID two(void) { small += 2, large += 8; }
static VOID rep(void) { repeated++; }

static INT64 left = 1000, period = 1000;
static UINT64 passed, fired, digest;
static ADDRINT due(void) { return --left == 0; }
static VOID take(ADDRINT ip)
{
    fired++;
    passed += (UINT64)period;
    digest = digest * 1000003 + ip;
    left = period = (INT64)(1 + digest % 100000);
}

static VOID ins(INS i, VOID *v)
{
    INS_InsertIfCall(i, IPOINT_BEFORE, AFUNPTR(due), IARG_END);
    INS_InsertThenCall(i, IPOINT_BEFORE, AFUNPTR(take), IARG_INST_PTR, IARG_END);
}

static VOID trace(TRACE t, VOID *v)
{
    for (BBL b = TRACE_BblHead(t); BBL_Valid(b); b = BBL_Next(b)) {
        BBL_InsertCall(b, IPOINT_BEFORE, AFUNPTR(block), IARG_UINT32, BBL_NumIns(b), IARG_END);
        for (INS i = BBL_InsHead(b); INS_Valid(i); i = INS_Next(i)) {
            INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(one), IARG_END);
            if (!INS_HasRealRep(i))
                continue;
            INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(two), IARG_END);
            INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(rep), IARG_END);
        }
    }
}

static VOID fini(INT32 code, VOID *v)
{
    if (sample)
        fprintf(stderr, "instructions %lu repeated fired %lu digest %lx\n", passed + (UINT64)(period - left), fired, digest);
    else
        fprintf(stderr, "blocks %lu instructions %lu repeated %lu %lu %lu\n", by_block, one_by_one, repeated, small / 2, large / 8);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    if (sample)
        INS_AddInstrumentFunction(ins, 0);
    else
        TRACE_AddInstrumentFunction(trace, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
