/* everything.c: a call at every point of every instruction, through every kind of bridge; the program must not notice.
 * -kind 1: a fast call with arguments; 2: worked out in C, with a context; 3: inlined; 4: with vectors in use; 5: a record;
 * 6: a call that leaves r11 to the engine, an inlined routine with registers of its own, an If with its Then; 0: all. */
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

struct record { ADDRINT ip, ea, sp, ax; UINT32 n; };
static BUFFER_ID buffer;
static VOID *full(BUFFER_ID id, THREADID tid, const CONTEXT *c, VOID *from, UINT64 n, VOID *v)
{
    for (UINT64 i = 0; i < n; i++)
        sum += ((struct record *)from)[i].ea ^ ((struct record *)from)[i].sp;
    return from;
}

/* A memory operand's address where there is one: of all sorts, and registers. */
static VOID record_at(INS ins, IPOINT p)
{
    BOOL has = p == IPOINT_BEFORE && INS_MemoryOperandCount(ins) && INS_IsStandardMemop(ins);
    if (has)
        INS_InsertFillBuffer(ins, p, buffer, IARG_INST_PTR, offsetof(struct record, ip), IARG_MEMORYOP_EA, 0, offsetof(struct record, ea),
                             IARG_REG_VALUE, REG_RSP, offsetof(struct record, sp), IARG_UINT32, 7, offsetof(struct record, n), IARG_END);
    else
        INS_InsertFillBuffer(ins, p, buffer, IARG_INST_PTR, offsetof(struct record, ip), IARG_REG_VALUE, REG_RAX, offsetof(struct record, ax),
                             IARG_END);
}

static VOID plain(ADDRINT ip, ADDRINT sp, ADDRINT ax) { sum += leaf(ip) + sp * ax; }

/* Uses the registers of all its arguments and three more. */
static VOID wide(ADDRINT a, ADDRINT b, ADDRINT c)
{
    __asm__ volatile("lea (%0, %1), %%r10; lea (%%r10, %2), %%r11; mov %%r11, %%rax; xor %%r10, %%rax; add %%rax, %3"
                     : : "r"(a), "r"(b), "r"(c), "m"(inlined) : "rax", "r10", "r11", "cc", "memory");
}

static INT64 left = 5;
static ADDRINT due(void) { return --left == 0; }
static VOID rearm(ADDRINT ip) { left = 5 + leaf(ip) % 7; }

static VOID free_of_r11_at(INS ins, IPOINT p)
{
    INS_InsertCall(ins, p, AFUNPTR(plain), IARG_INST_PTR, IARG_REG_VALUE, REG_RSP, IARG_REG_VALUE, REG_RAX, IARG_END);
    INS_InsertCall(ins, p, AFUNPTR(wide), IARG_INST_PTR, IARG_REG_VALUE, REG_RAX, IARG_REG_VALUE, REG_RSI, IARG_END);
    INS_InsertIfCall(ins, p, AFUNPTR(due), IARG_END);
    INS_InsertThenCall(ins, p, AFUNPTR(rearm), IARG_INST_PTR, IARG_END);
}

static VOID all_at(INS ins, IPOINT p)
{
    if (kind == 0 || kind == 5)
        record_at(ins, p);
    if (kind == 0 || kind == 6)
        free_of_r11_at(ins, p);
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
    buffer = PIN_DefineTraceBuffer(sizeof(struct record), 1, full, 0);
    INS_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
