/* bodies.c: routines with branches forward, several returns, helpers that they call or end in. Prints what they made of a
 * program's instructions, which must not depend on whether they stand in the trace. */
#include <pin.h>

static UINT64 highest, lowest = ~0ull, small, large, odd, steps, picked, seen[4], tail, helped, total;

static VOID extremes(ADDRINT sp)
{
    if (sp > highest)
        highest = sp;
    if (sp < lowest)
        lowest = sp;
}
static VOID sort_of(ADDRINT x, UINT32 limit)
{
    if (x < limit)
        small++;
    else if (x & 1)
        odd++;
    else
        large += limit;
}
static VOID early(ADDRINT x)
{
    if (!(x & 7))
        return;
    steps++;
    if (x & 8)
        return;
    steps += 3;
}
static VOID last(ADDRINT x);
static VOID ends_in(ADDRINT x) { tail += x & 15; last(x ^ 5); }
static __attribute__((noinline)) VOID last(ADDRINT x) { seen[x & 3]++; }
static __attribute__((noinline)) VOID helper(UINT64 x) { helped += x; }
static VOID calls(ADDRINT x) { helper(x & 31); total++; }
static ADDRINT is_picked(ADDRINT x)
{
    if (x & 1)
        return 0;
    return (x & 6) == 2;
}
static VOID pick(ADDRINT ip) { picked = picked * 31 + (ip & 0xfff); }
static ADDRINT halve(ADDRINT x) { return x > 9 ? x / 2 : 7; }

static REG scratch;
static VOID instrument(INS ins, VOID *v)
{
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(extremes), IARG_REG_VALUE, REG_RSP, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(sort_of), IARG_REG_VALUE, REG_RCX, IARG_UINT32, 1000, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(early), IARG_REG_VALUE, REG_RDX, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(early), IARG_ADDRINT, INS_Address(ins) & 0xff, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(ends_in), IARG_REG_VALUE, REG_RSI, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(calls), IARG_REG_VALUE, REG_RDI, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(halve), IARG_REG_VALUE, scratch, IARG_RETURN_REGS, scratch, IARG_END);
    INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(is_picked), IARG_REG_VALUE, REG_RAX, IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(pick), IARG_INST_PTR, IARG_END);
}
static VOID fini(INT32 code, VOID *v)
{
    fprintf(stderr, "%lx %lx %lu %lu %lu %lu %lx %lu %lu %lu %lu %lu %lu %lu\n", highest, lowest, small, large, odd, steps, picked,
            seen[0], seen[1], seen[2], seen[3], tail, helped, total);
}
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    scratch = PIN_ClaimToolRegister();
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
