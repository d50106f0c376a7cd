/* flags.c: see flags.h. */
#include "tool.h"
#include "flags.h"

enum use { SETS = 1, TESTS = 2 };
static struct map uses;                         /* instruction -> enum use */
static PIN_LOCK lock;

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
static bool is_decisive(INS ins)
{
    if (!writes_flags(ins) || INS_MaxNumWRegs(ins) != 1 || INS_IsMemoryWrite(ins))
        return false;
    for (INS next = INS_Next(ins); INS_Valid(next); next = INS_Next(next)) {
        if (INS_IsBranch(next))
            return INS_HasFallThrough(next);
        if (writes_flags(next))
            return false;
    }
    return false;
}

/* A load whose register is first used to decide. */
static bool is_load_to_decide(INS ins)
{
    if (INS_MaxNumWRegs(ins) != 1 || INS_IsMemoryWrite(ins))
        return false;
    REG reg = INS_RegW(ins, 0);
    for (INS next = INS_Next(ins); INS_Valid(next); next = INS_Next(next)) {
        if (reads_register(next, reg))
            return is_decisive(next);
        if (writes_register(next, reg))
            return false;
    }
    return false;
}

static bool sets_constant(INS ins)
{
    return INS_IsMemoryWrite(ins) && !INS_IsMemoryRead(ins) && INS_OperandCount(ins) >= 2 && INS_OperandIsMemory(ins, 0) &&
           INS_OperandIsImmediate(ins, 1);
}

VOID flags_note(INS ins)
{
    enum use use = sets_constant(ins) ? SETS : INS_IsMemoryRead(ins) && (is_decisive(ins) || is_load_to_decide(ins)) ? TESTS : 0;
    if (!use)
        return;
    PIN_GetLock(&lock, 1);
    *map_at(&uses, INS_Address(ins)) = use;
    PIN_ReleaseLock(&lock);
}

bool flags_are(ADDRINT ip, ADDRINT other)
{
    PIN_GetLock(&lock, 1);
    bool are = (map_get(&uses, ip) | map_get(&uses, other)) == (SETS | TESTS);
    PIN_ReleaseLock(&lock);
    return are;
}
