/* everything.c: a call at every point of every instruction, through every kind of bridge; the program must not notice.
 * -kind 1: a fast call with arguments; 2: worked out in C, with a context; 3: inlined; 4: with vectors in use; 0: all. */
#include <pin.h>
#include <string.h>

KNOB_NUMBER(kind, "kind", 0, "which bridges");

static volatile UINT64 sum;
static UINT64 inlined;
static double product = 1;

__attribute__((noinline)) static UINT64 leaf(UINT64 x) { return x * 3 + 1; }

static VOID fast(ADDRINT ip, ADDRINT sp, UINT32 n, THREADID tid, ADDRINT ax, ADDRINT r9, ADDRINT r11)
{
    sum += leaf(ip) + sp + n + tid + ax + r9 + r11;
}

static VOID slow(const CONTEXT *c, ADDRINT ip, ADDRINT flags)
{
    sum += PIN_GetContextReg(c, REG_RSP) + PIN_GetContextReg(c, REG_RIP) - ip + flags;
}

static VOID quick(UINT32 n) { inlined += n; }

static VOID floating(ADDRINT ip)
{
    char a[64], b[64];
    memset(a, (int)ip, sizeof a);
    memcpy(b, a, sizeof b);
    product = product * 1.000001 + b[ip % 64];
}

static VOID all_at(INS ins, IPOINT p)
{
    if (kind == 0 || kind == 1)
        INS_InsertCall(ins, p, AFUNPTR(fast), IARG_INST_PTR, IARG_REG_VALUE, REG_RSP, IARG_UINT32, 5, IARG_THREAD_ID,
                       IARG_REG_VALUE, REG_AX, IARG_REG_VALUE, REG_R9, IARG_REG_VALUE, REG_R11, IARG_END);
    if (kind == 0 || kind == 2)
        INS_InsertCall(ins, p, AFUNPTR(slow), IARG_CONST_CONTEXT, IARG_INST_PTR, IARG_REG_VALUE, REG_GFLAGS, IARG_END);
    if (kind == 0 || kind == 3)
        INS_InsertCall(ins, p, AFUNPTR(quick), IARG_UINT32, 1, IARG_END);
    if (kind == 0 || kind == 4)
        INS_InsertCall(ins, p, AFUNPTR(floating), IARG_INST_PTR, IARG_END);
}

static VOID instrument(INS ins, VOID *v)
{
    all_at(ins, IPOINT_BEFORE);
    if (INS_IsValidForIpointAfter(ins) || INS_IsSyscall(ins))
        all_at(ins, IPOINT_AFTER);
    if (INS_IsValidForIpointTakenBranch(ins))
        all_at(ins, IPOINT_TAKEN_BRANCH);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
