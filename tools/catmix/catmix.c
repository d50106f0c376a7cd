/* catmix: which categories of instructions ran, and how many of each there are in the code that ran.
 * Shows: the smallest tool of those that sort instructions. */
#include "tool.h"
#include "mix.h"
TOOL_ABOUT("instructions executed by category: arithmetic, branches, moves, vector ...");

static VOID classify(INS ins) { mix_add((UINT32)INS_Category(ins), 0, 1); }

int main(int argc, char **argv)
{
    static const struct mix mix = { "category", { "count" }, classify, CATEGORY_StringShort };
    tool_begin(argc, argv, mix_report);
    mix_begin(&mix);
    PIN_StartProgram();
}
