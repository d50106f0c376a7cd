/* regmix: how often each register is read and written, parts of a register counting as the whole, flags and registers of
 * addresses included. */
#include "tool.h"
#include "mix.h"
TOOL_ABOUT("registers read and written");

enum { READ, WRITTEN };

/* An instruction that names a register twice uses it once. */
static bool is_repeated(INS ins, REG (*get)(INS, UINT32), UINT32 k)
{
    for (UINT32 i = 0; i < k; i++)
        if (REG_FullRegName(get(ins, i)) == REG_FullRegName(get(ins, k)))
            return true;
    return false;
}

static VOID classify(INS ins)
{
    for (UINT32 k = 0; k < INS_MaxNumRRegs(ins); k++)
        if (REG_valid(INS_RegR(ins, k)) && !is_repeated(ins, INS_RegR, k))
            mix_add((UINT32)REG_FullRegName(INS_RegR(ins, k)), READ, 1);
    for (UINT32 k = 0; k < INS_MaxNumWRegs(ins); k++)
        if (REG_valid(INS_RegW(ins, k)) && !is_repeated(ins, INS_RegW, k))
            mix_add((UINT32)REG_FullRegName(INS_RegW(ins, k)), WRITTEN, 1);
}

static const char *name(UINT32 reg) { return REG_StringShort((REG)reg); }

int main(int argc, char **argv)
{
    static const struct mix mix = { "register", { "read", "written" }, classify, name };
    tool_begin(argc, argv, mix_report);
    mix_begin(&mix);
    PIN_StartProgram();
}
