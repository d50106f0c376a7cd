/* check.c: each access of the program to memory, checked.
 *
 * Before each access a few inlined instructions load the state of its bytes; for an address outside of the heap, that of the
 * heap's first page, which is always FINE. Only when a byte is not FINE is `judge` called.
 *
 * String functions of a C library read whole vectors past the end of what they were given: strings.c checks them as
 * functions, and large reads by that code are left alone here. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "errors.h"
#include "check.h"

static BOOL watches_unset;

/* ---- the inlined part ---- */
static inline ADDRINT in_heap(ADDRINT ea)
{
    ADDRINT at = ea - HEAP_LO;
    at &= -(ADDRINT)(at < HEAP_SIZE);           /* a mask, not a branch: only straight code is inlined */
    return at + HEAP_LO + STATE_GAP;
}
static ADDRINT state1(ADDRINT ea) { return *(UINT8 *)in_heap(ea); }
static ADDRINT state2(ADDRINT ea) { return *(UINT16 *)in_heap(ea); }
static ADDRINT state4(ADDRINT ea) { return *(UINT32 *)in_heap(ea); }
static ADDRINT state8(ADDRINT ea) { return *(UINT64 *)in_heap(ea); }
static ADDRINT state16(ADDRINT ea) { UINT64 *s = (UINT64 *)in_heap(ea); return s[0] | s[1]; }
static ADDRINT state32(ADDRINT ea) { UINT64 *s = (UINT64 *)in_heap(ea); return s[0] | s[1] | s[2] | s[3]; }
static ADDRINT state_any(ADDRINT ea) { return ea - HEAP_LO < HEAP_SIZE; }

static AFUNPTR state_of_size(UINT32 size)
{
    switch (size) {
    case 1: return AFUNPTR(state1);
    case 2: return AFUNPTR(state2);
    case 4: return AFUNPTR(state4);
    case 8: return AFUNPTR(state8);
    case 16: return AFUNPTR(state16);
    case 32: return AFUNPTR(state32);
    default: return AFUNPTR(state_any);
    }
}

/* ---- the rare part ---- */
enum { IS_WRITE = 1, DECIDES = 2, MAY_OVERREAD = 4, IN_LIBRARY = 8 };
/* The stack pointer of a library function that was reported as a whole: its own accesses are not reported again. */
static __thread ADDRINT reported_sp;

static VOID complain(ADDRINT a, size_t n, BOOL is_write, UINT8 state, ADDRINT ip, ADDRINT sp, const char *by)
{
    enum error_kind kind = state == BYTE_UNSET   ? ERROR_UNSET
                           : state == BYTE_FREED ? ERROR_READ_FREED + is_write
                                                 : ERROR_READ_OUTSIDE + is_write;
    const struct callstack *stack = callstack_here(ip, sp);
    arena_lock();
    errors_add(kind, stack, a, n, arena_near(a), by);
    arena_unlock();
}

static VOID judge(ADDRINT ea, UINT32 size, UINT32 how, ADDRINT ip, ADDRINT sp)
{
    UINT8 *state = arena_state(ea), worst = BYTE_FINE;
    UINT32 at = 0;
    for (UINT32 i = 0; i < size; i++)
        if (state[i] > worst && (state[i] != BYTE_UNSET || (how & DECIDES))) {
            if (worst <= BYTE_UNSET)
                at = i;
            worst = state[i];
        }
    bool is_known = (how & IN_LIBRARY) && sp <= reported_sp && sp > reported_sp - 64;
    if (worst > BYTE_UNSET ? !(how & MAY_OVERREAD) && !is_known : worst == BYTE_UNSET)
        complain(ea + at, size, how & IS_WRITE, worst, ip, sp, NULL);
    if ((how & IS_WRITE) || ((how & DECIDES) && worst == BYTE_UNSET))      /* once is enough */
        for (UINT32 i = 0; i < size; i++)
            if (state[i] == BYTE_UNSET)
                state[i] = BYTE_FINE;
}

VOID check_range(ADDRINT a, size_t n, UINT32 how, ADDRINT ip, ADDRINT sp, const char *by)
{
    if (!arena_has(a))
        return;
    if (n > HEAP_LO + HEAP_SIZE - a)
        n = HEAP_LO + HEAP_SIZE - a;
    UINT8 *state = arena_state(a), limit = how == CHECK_SET && watches_unset ? BYTE_FINE : BYTE_UNSET;
    for (size_t i = 0; i < n; i++)
        if (state[i] > limit) {
            complain(a + i, n, how == CHECK_WRITE || how == CHECK_ROOM, state[i], ip, sp, by);
            reported_sp = sp;
            n = i;
            break;
        }
    if (how == CHECK_WRITE)
        memset(state, BYTE_FINE, n);
}

/* ---- who may read too much ---- */
static bool is_libc(const char *name)
{
    return strncmp(name, "libc.", 5) == 0 || strncmp(name, "libc-", 5) == 0 || strncmp(name, "ld-musl", 7) == 0;
}

enum trust check_trust(ADDRINT ip)
{
    static __thread ADDRINT low, high;
    static __thread enum trust trust;
    if (ip >= low && ip <= high)
        return trust;
    IMG img = IMG_FindByAddress(ip);
    if (!IMG_Valid(img))
        return TRUST_NONE;
    const char *name = base_name(IMG_Name(img));
    low = IMG_LowAddress(img);
    high = IMG_HighAddress(img);
    trust = is_libc(name)                  ? TRUST_WORDS
            : IMG_IsStaticExecutable(img) ? TRUST_VECTORS
            : IMG_IsInterpreter(img)      ? TRUST_ALL
                                          : TRUST_NONE;
    return trust;
}

/* ---- does a branch or an address depend on what is loaded? Looks no further than the basic block ---- */
static bool writes_flags(INS ins) { return INS_RegWContain(ins, REG_GFLAGS); }

/* Do the flags that `ins` makes decide the conditional branch at the end of its block? */
static bool flags_decide(INS ins)
{
    INS last = ins;
    for (INS i = INS_Next(ins); INS_Valid(i); i = INS_Next(i)) {
        last = i;
        if (writes_flags(i))
            return false;
    }
    return INS_Category(last) == XED_CATEGORY_COND_BR && !INS_IsStringop(ins);
}

static bool compares(INS ins)
{
    OPCODE op = INS_Opcode(ins);
    return op == XED_ICLASS_CMP || op == XED_ICLASS_TEST;
}

static bool reads_whole(INS ins, REG reg, UINT32 size)
{
    for (UINT32 k = 0; k < INS_OperandCount(ins); k++)
        if (INS_OperandIsReg(ins, k) && REG_FullRegName(INS_OperandReg(ins, k)) == reg && REG_Size(INS_OperandReg(ins, k)) >= size)
            return true;
    return false;
}

static bool is_load(INS ins)
{
    OPCODE op = INS_Opcode(ins);
    return (op == XED_ICLASS_MOV || op == XED_ICLASS_MOVZX || op == XED_ICLASS_MOVSX || op == XED_ICLASS_MOVSXD) && INS_IsMemoryRead(ins);
}

static bool value_decides(INS ins)
{
    if (compares(ins))
        return flags_decide(ins);
    if (!is_load(ins))
        return false;
    UINT32 size = INS_MemoryReadSize(ins);
    REG reg = REG_FullRegName(INS_OperandReg(ins, 0));
    for (INS i = INS_Next(ins); INS_Valid(i); i = INS_Next(i)) {
        if (compares(i) && reads_whole(i, reg, size))
            return flags_decide(i);
        if (INS_MemoryOperandCount(i) && !INS_IsPrefetch(i) &&
            ((size == sizeof(ADDRINT) && INS_MemoryBaseReg(i) == reg) || INS_MemoryIndexReg(i) == reg))
            return true;
        if (INS_FullRegRContain(i, reg) || INS_FullRegWContain(i, reg))
            return false;
    }
    return false;
}

/* ---- instrumentation ---- */
static VOID watch(INS ins, UINT32 k, UINT32 how)
{
    UINT32 size = INS_MemoryOperandSize(ins, k);
    INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, state_of_size(size), IARG_MEMORYOP_EA, k, IARG_END);
    INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(judge), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_UINT32, how,
                                 IARG_INST_PTR, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
}

static bool is_partial(INS ins)
{
    return INS_IsMaskMov(ins) || REG_valid(INS_MaskRegister(ins)) || INS_HasScatteredMemoryAccess(ins);
}

static VOID look(INS ins, VOID *v)
{
    if (INS_IsNop(ins) || INS_IsPrefetch(ins) || INS_IsCacheLineFlush(ins) || is_partial(ins))
        return;
    UINT32 n = INS_MemoryOperandCount(ins);
    enum trust trust = n ? check_trust(INS_Address(ins)) : TRUST_NONE;
    for (UINT32 k = 0; k < n; k++) {
        BOOL writes = INS_MemoryOperandIsWritten(ins, k);
        UINT32 size = INS_MemoryOperandSize(ins, k), how = (writes ? IS_WRITE : 0) | (trust != TRUST_NONE ? IN_LIBRARY : 0);
        if (!size || ((INS_IsCall(ins) || INS_IsRet(ins)) && !INS_HasExplicitMemoryReference(ins)))
            continue;
        if (trust == TRUST_ALL || (!writes && ((trust == TRUST_WORDS && size >= 8) || (trust == TRUST_VECTORS && size >= 16))))
            how |= MAY_OVERREAD;
        if (watches_unset && !writes && trust == TRUST_NONE && value_decides(ins))
            how |= DECIDES;
        watch(ins, k, how);
    }
}

VOID check_begin(BOOL unset)
{
    watches_unset = unset;
    INS_AddInstrumentFunction(look, 0);
}
