/* registers.cpp: what IARGs say about every instruction agrees: with each other, with what happens next, and (states.h) with what a
 * debugger sees. */
#include "pin.H"
#include "states.h"

struct Thread {
    UINT64 hash, count;
    ADDRINT pc, rdi, ea[8];                     /* of the last instruction */
    BOOL has_after, is_branch, taken, executing, is_cmov;
    ADDRINT after[N_STATE], target, fall;
};
static TLS_KEY key;
static UINT64 count, sum, wrong, afters;
static PIN_LOCK lock;
static const REG regs[N_STATE] = { REG_RIP, REG_RFLAGS, REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP,
                                   REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

static Thread *Self(THREADID tid) { return static_cast<Thread *>(PIN_GetThreadData(key, tid)); }

#define CHECK(claim) do { if (!(claim)) Wrong(__LINE__, pc); } while (0)
static VOID Wrong(int line, ADDRINT pc)
{
    PIN_GetLock(&lock, 1);
    if (wrong++ < 10)
        fprintf(stderr, "wrong at 0x%lx: line %d\n", pc, line);
    PIN_ReleaseLock(&lock);
}

/* All registers as values, as a context, some by reference. */
static VOID Before(THREADID tid, ADDRINT pc, const CONTEXT *c, ADDRINT flags, ADDRINT rax, ADDRINT rbx, ADDRINT rcx, ADDRINT rdx,
                   ADDRINT rsi, ADDRINT rdi, ADDRINT rbp, ADDRINT rsp, ADDRINT r8, ADDRINT r9, ADDRINT r10, ADDRINT r11,
                   ADDRINT r12, ADDRINT r13, ADDRINT r14, ADDRINT r15, const UINT8 *prax, const UINT8 *pr15, ADDRINT ecx, ADDRINT ah)
{
    Thread *t = Self(tid);
    ADDRINT s[N_STATE] = { pc, flags, rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15 };
    for (int i = 0; i < N_STATE; i++)
        CHECK(PIN_GetContextReg(c, regs[i]) == s[i]);
    CHECK(*(const ADDRINT *)prax == rax && *(const ADDRINT *)pr15 == r15 && ecx == (UINT32)rcx && ah == (rax >> 8 & 255));
    if (t->has_after)
        for (int i = 0; i < N_STATE; i++)
            CHECK(t->after[i] == s[i]);
    if (t->is_branch)
        CHECK(pc == (t->taken ? t->target : t->fall));
    t->has_after = t->is_branch = FALSE;
    t->hash = state_hash(t->hash, s, (const unsigned char *)pc - 2);
    t->count++;
    t->pc = pc;
}

/* On the way out of an instruction: what the next one must find. */
static VOID After(THREADID tid, ADDRINT pc, const CONTEXT *c)
{
    Thread *t = Self(tid);
    CHECK(t->pc == pc);
    t->has_after = TRUE;
    for (int i = 0; i < N_STATE; i++)
        t->after[i] = PIN_GetContextReg(c, regs[i]);
    __atomic_add_fetch(&afters, 1, __ATOMIC_RELAXED);
}

static VOID Branch(THREADID tid, BOOL taken, ADDRINT target, ADDRINT fall)
{
    Thread *t = Self(tid);
    t->is_branch = TRUE;
    t->taken = taken;
    t->target = target;
    t->fall = fall;
}

/* An address from the parts that the instruction view names. */
static VOID Address(ADDRINT pc, const CONTEXT *c, ADDRINT ea, UINT32 base, UINT32 index, UINT32 scale, ADDRDELTA disp, UINT32 seg, UINT32 width)
{
    ADDRINT a = (ADDRINT)disp;
    if (REG_valid((REG)base))
        a += (REG)base == REG_RIP ? pc : PIN_GetContextReg(c, (REG)base);
    if (REG_valid((REG)index))
        a += PIN_GetContextReg(c, (REG)index) * scale;
    if (width == 32)
        a = (UINT32)a;
    if (seg)
        a += PIN_GetContextReg(c, (REG)seg == REG_SEG_FS ? REG_SEG_FS_BASE : REG_SEG_GS_BASE);
    CHECK(a == ea);
}

static VOID Elements(ADDRINT pc, PIN_MULTI_MEM_ACCESS_INFO *m, const UINT8 *index, const UINT8 *mask, ADDRINT base, UINT32 scale, ADDRDELTA disp)
{
    for (UINT32 i = 0; i < m->numberOfMemops; i++) {
        ADDRINT a = base + (ADDRDELTA)((const INT32 *)index)[i] * scale + disp;
        CHECK(m->memop[i].memoryAddress == a && m->memop[i].bytesAccessed == 4 && m->memop[i].memopType == PIN_MEMOP_LOAD);
        CHECK(m->memop[i].maskOn == (((const INT32 *)mask)[i] < 0));
    }
}

/* The predicate of a cmov from the flags, by its opcode's low bits: pairs of a condition and its opposite. */
static BOOL Holds(UINT32 cc, ADDRINT f)
{
    BOOL cf = f & 1, pf = f >> 2 & 1, zf = f >> 6 & 1, sf = f >> 7 & 1, of = f >> 11 & 1;
    BOOL list[] = { of, cf, zf, (BOOL)(cf || zf), sf, pf, (BOOL)(sf != of), (BOOL)(zf || sf != of) };
    return list[cc >> 1] != (cc & 1);
}
static VOID Cmov(ADDRINT pc, BOOL executing, ADDRINT flags, UINT32 cc) { CHECK(executing == Holds(cc, flags)); }
static UINT64 moves, predicated;
static VOID Count(UINT64 *n) { __atomic_add_fetch(n, 1, __ATOMIC_RELAXED); }
static VOID CountMove(BOOL executing) { if (executing) __atomic_add_fetch(&moves, 1, __ATOMIC_RELAXED); }

static VOID Rep(THREADID tid, ADDRINT pc, BOOL first, BOOL executing, ADDRINT rcx, ADDRINT rdi)
{
    static __thread ADDRINT last_pc;
    static __thread UINT64 last_count, left;
    BOOL again = last_pc == pc && last_count + 1 == Self(tid)->count && left > 1;
    CHECK(executing == (rcx != 0));
    CHECK(first == (executing && !again));
    last_pc = pc;
    last_count = Self(tid)->count;
    left = rcx;
}

static VOID Stack(ADDRINT pc, ADDRINT ea, ADDRINT rsp, UINT32 pushed) { CHECK(ea == rsp - pushed); }

static VOID Memory(INS ins)
{
    for (UINT32 m = 0; m < INS_MemoryOperandCount(ins); m++) {
        UINT32 k = INS_MemoryOperandIndexToOperandIndex(ins, m);
        REG base = INS_OperandMemoryBaseReg(ins, k), index = INS_OperandMemoryIndexReg(ins, k);
        if (INS_IsVgather(ins)) {
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Elements, IARG_INST_PTR, IARG_MULTI_MEMORYACCESS_EA, IARG_REG_CONST_REFERENCE,
                           index, IARG_REG_CONST_REFERENCE, INS_MaskRegister(ins), IARG_REG_VALUE, base, IARG_UINT32,
                           INS_OperandMemoryScale(ins, k), IARG_ADDRINT, INS_OperandMemoryDisplacement(ins, k), IARG_END);
            continue;
        }
        if (base == REG_RSP && INS_OperandIsImplicit(ins, k))
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Stack, IARG_INST_PTR, IARG_MEMORYOP_EA, m, IARG_REG_VALUE, REG_RSP, IARG_UINT32,
                           INS_MemoryOperandIsWritten(ins, m) ? INS_MemoryOperandSize(ins, m) : 0, IARG_END);
        else if (!INS_OperandIsImplicit(ins, k) && base != REG_RSP && INS_Category(ins) != XED_CATEGORY_BITBYTE)
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Address, IARG_ADDRINT, INS_NextAddress(ins), IARG_CONST_CONTEXT, IARG_MEMORYOP_EA, m,
                           IARG_UINT32, base, IARG_UINT32, index, IARG_UINT32, INS_OperandMemoryScale(ins, k), IARG_ADDRINT,
                           INS_OperandMemoryDisplacement(ins, k), IARG_UINT32, INS_OperandMemorySegmentReg(ins, k), IARG_UINT32,
                           INS_EffectiveAddressWidth(ins), IARG_END);
    }
}

static UINT32 Condition(INS ins)
{
    UINT8 bytes[15];
    PIN_SafeCopy(bytes, (VOID *)INS_Address(ins), INS_Size(ins));
    for (UINT32 i = 0; i + 1 < INS_Size(ins); i++)
        if (bytes[i] == 0x0f)
            return bytes[i + 1] & 15;
    return 0;
}

static VOID Instruction(INS ins, VOID *)
{
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Before, IARG_CALL_ORDER, CALL_ORDER_FIRST, IARG_THREAD_ID, IARG_INST_PTR,
                   IARG_CONST_CONTEXT, IARG_REG_VALUE, REG_GFLAGS, IARG_REG_VALUE, REG_RAX, IARG_REG_VALUE, REG_RBX, IARG_REG_VALUE, REG_RCX,
                   IARG_REG_VALUE, REG_RDX, IARG_REG_VALUE, REG_RSI, IARG_REG_VALUE, REG_RDI, IARG_REG_VALUE, REG_RBP,
                   IARG_REG_VALUE, REG_RSP, IARG_REG_VALUE, REG_R8, IARG_REG_VALUE, REG_R9, IARG_REG_VALUE, REG_R10,
                   IARG_REG_VALUE, REG_R11, IARG_REG_VALUE, REG_R12, IARG_REG_VALUE, REG_R13, IARG_REG_VALUE, REG_R14,
                   IARG_REG_VALUE, REG_R15, IARG_REG_CONST_REFERENCE, REG_RAX, IARG_REG_CONST_REFERENCE, REG_R15, IARG_REG_VALUE, REG_ECX,
                   IARG_REG_VALUE, REG_AH, IARG_END);
    if (INS_IsValidForIpointAfter(ins))
        INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)After, IARG_THREAD_ID, IARG_INST_PTR, IARG_CONST_CONTEXT, IARG_END);
    if (INS_IsValidForIpointTakenBranch(ins))
        INS_InsertCall(ins, IPOINT_TAKEN_BRANCH, (AFUNPTR)After, IARG_THREAD_ID, IARG_INST_PTR, IARG_CONTEXT, IARG_END);
    if (INS_IsControlFlow(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Branch, IARG_THREAD_ID, IARG_BRANCH_TAKEN, IARG_BRANCH_TARGET_ADDR, IARG_ADDRINT,
                       INS_NextAddress(ins), IARG_END);
    if (INS_HasRealRep(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Rep, IARG_THREAD_ID, IARG_INST_PTR, IARG_FIRST_REP_ITERATION, IARG_EXECUTING,
                       IARG_REG_VALUE, REG_RCX, IARG_REG_VALUE, REG_RDI, IARG_END);
    else if (INS_Category(ins) == XED_CATEGORY_CMOV)
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Cmov, IARG_INST_PTR, IARG_EXECUTING, IARG_REG_VALUE, REG_GFLAGS, IARG_UINT32,
                       Condition(ins), IARG_END);
    if (INS_IsPredicated(ins)) {
        INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)CountMove, IARG_EXECUTING, IARG_END);
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, (AFUNPTR)Count, IARG_PTR, &predicated, IARG_END);
    }
    Memory(ins);
}

static VOID Begin(THREADID tid, CONTEXT *, INT32, VOID *)
{
    Thread *t = new Thread();
    t->hash = 1;
    PIN_SetThreadData(key, t, tid);
}
static VOID End(THREADID tid, const CONTEXT *, INT32, VOID *)
{
    sum += Self(tid)->hash;                     /* these callbacks are serialised */
    count += Self(tid)->count;
}
static VOID Fini(INT32, VOID *)
{
    fprintf(stderr, "%lu %016lx\n", count, sum);
    fprintf(stderr, "wrong %lu, afters %s, predicated %s\n", wrong, afters * 10 > count * 9 ? "most" : "few",
            moves && moves == predicated ? "agree" : moves ? "differ" : "none");
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    key = PIN_CreateThreadDataKey(0);
    PIN_InitLock(&lock);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddThreadStartFunction(Begin, 0);
    PIN_AddThreadFiniFunction(End, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
