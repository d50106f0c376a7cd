/* flags.c: see flags.h. */
#include "tool.h"
#include "flags.h"

/* PUTS: stores a register as long as an address. IDENTIFIES: tests whether it is what a register holds. */
enum use { SETS = 1, TESTS = 2, PUTS = 4, IDENTIFIES = 8 };
static struct map uses;                         /* instruction -> enum use */
static PIN_LOCK lock;

/* An instruction in its trace. What comes next on the straight way may lie in the block behind. */
struct place { BBL bbl; INS ins; };

static struct place next_of(struct place p)
{
    p.ins = INS_Next(p.ins);
    if (!INS_Valid(p.ins) && BBL_Valid(p.bbl = BBL_Next(p.bbl)))
        p.ins = BBL_InsHead(p.bbl);
    return p;
}

static bool writes_register(INS ins, REG reg)
{
    for (UINT32 k = 0; k < INS_MaxNumWRegs(ins); k++)
        if (REG_FullRegName(INS_RegW(ins, k)) == REG_FullRegName(reg))
            return true;
    return false;
}

static bool reads_register(INS ins, REG reg)
{
    for (UINT32 k = 0; k < INS_MaxNumRRegs(ins); k++)
        if (REG_FullRegName(INS_RegR(ins, k)) == REG_FullRegName(reg))
            return true;
    return false;
}

static bool writes_flags(INS ins)
{
    for (UINT32 k = 0; k < INS_MaxNumWRegs(ins); k++)
        if (REG_is_any_flags_type(INS_RegW(ins, k)))
            return true;
    return false;
}

/* All that it leaves are flags, and a branch decides by them before others come. */
static bool is_decisive(struct place p)
{
    if (!writes_flags(p.ins) || INS_MaxNumWRegs(p.ins) != 1 || INS_IsMemoryWrite(p.ins))
        return false;
    for (p = next_of(p); INS_Valid(p.ins); p = next_of(p)) {
        if (INS_IsBranch(p.ins))
            return INS_HasFallThrough(p.ins);
        if (writes_flags(p.ins))
            return false;
    }
    return false;
}

/* Two operands, both of them registers or memory, and not the same: against another value, not against a constant or itself. */
static bool compares_two(INS ins)
{
    if (INS_OperandCount(ins) < 2 || INS_OperandIsImmediate(ins, 0) || INS_OperandIsImmediate(ins, 1))
        return false;
    return !INS_OperandIsReg(ins, 0) || !INS_OperandIsReg(ins, 1) || INS_OperandReg(ins, 0) != INS_OperandReg(ins, 1);
}

static enum use decides(struct place p) { return !is_decisive(p) ? 0 : compares_two(p.ins) ? TESTS | IDENTIFIES : TESTS; }

/* A load whose register is first used to decide. */
static enum use load_decides(struct place p)
{
    if (INS_MaxNumWRegs(p.ins) != 1 || INS_IsMemoryWrite(p.ins))
        return 0;
    REG reg = INS_RegW(p.ins, 0);
    for (p = next_of(p); INS_Valid(p.ins); p = next_of(p)) {
        if (reads_register(p.ins, reg))
            return decides(p);
        if (writes_register(p.ins, reg))
            return 0;
    }
    return 0;
}

/* Does nothing but store: what, its second operand says. */
static bool is_store(INS ins)
{
    return INS_IsMemoryWrite(ins) && !INS_IsMemoryRead(ins) && INS_OperandCount(ins) >= 2 && INS_OperandIsMemory(ins, 0);
}

static enum use use_of(struct place p)
{
    if (is_store(p.ins) && INS_OperandIsImmediate(p.ins, 1))
        return SETS;
    if (is_store(p.ins) && INS_OperandIsReg(p.ins, 1) && INS_MemoryOperandSize(p.ins, 0) == sizeof(ADDRINT))
        return PUTS;
    if (!INS_IsMemoryRead(p.ins))
        return 0;
    enum use use = decides(p);
    return use ? use : load_decides(p);
}

static VOID note(ADDRINT ip, enum use use)
{
    PIN_GetLock(&lock, 1);
    *map_at(&uses, ip) = use;
    PIN_ReleaseLock(&lock);
}

VOID flags_note(TRACE trace)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
            enum use use = use_of((struct place){ bbl, ins });
            if (use)
                note(INS_Address(ins), use);
        }
}

/* Is it the address of something? Such a word that is only compared says who or which, and nothing is read through it. */
static bool holds_address(ADDRINT at)
{
    ADDRINT value = 0;
    return PIN_SafeCopy(&value, (const VOID *)at, sizeof value) == sizeof value && PIN_CheckReadAccess((VOID *)value);
}

bool flags_are(ADDRINT ip, ADDRINT other, ADDRINT at)
{
    PIN_GetLock(&lock, 1);
    enum use both = (enum use)(map_get(&uses, ip) | map_get(&uses, other));
    PIN_ReleaseLock(&lock);
    return (both & ~IDENTIFIES) == (SETS | TESTS) || (both == (PUTS | TESTS | IDENTIFIES) && holds_address(at));
}
