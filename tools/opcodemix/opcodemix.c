/* opcodemix: how often each opcode ran, and how many instructions have it in the code that ran.
 *
 * Two reports written with -json are compared by
 *     cotter run opcodemix --compare A.json B.json [-routine GLOB]
 * which prints what B executes more (or less) than A; with -routine, of routines with such a name, if both reports were
 * written with -by routine. */
#include "tool.h"
#include "mix.h"
#include "compare.h"
TOOL_ABOUT("opcodes executed, dynamic and static; --compare shows the difference of two runs");
KNOB_FLAG(has_sizes, "sizes", "tell operand sizes apart: MOV.4, MOV.8");
KNOB_TEXT(unused, "compare", "", "A.json B.json: compare two reports, run nothing");

enum { SIZES = 256 };

static UINT32 size_of(INS ins)
{
    UINT32 bits = has_sizes && INS_OperandCount(ins) ? INS_OperandWidth(ins, 0) : 0;
    return bits / 8 < SIZES ? bits / 8 : 0;
}

static VOID classify(INS ins) { mix_add((UINT32)INS_Opcode(ins) * SIZES + size_of(ins), 0, 1); }

static const char *name(UINT32 kind)
{
    static char text[64];
    snprintf(text, sizeof text, kind % SIZES ? "%s.%u" : "%s", OPCODE_StringShort(kind / SIZES), kind % SIZES);
    return text;
}

int main(int argc, char **argv)
{
    static const struct mix mix = { "opcode", { "count" }, classify, name };
    if (argc > 1 && !strcmp(argv[1], "--compare"))
        return compare_reports(argc - 2, argv + 2);
    tool_begin(argc, argv, mix_report);
    if (*unused)
        tool_fail("--compare A.json B.json stands alone: no other options before it and no program");
    mix_begin(&mix);
    PIN_StartProgram();
}
