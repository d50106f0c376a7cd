/* ldstmix: how the program uses memory: operands that are loaded, stored, or updated in place; on the stack, relative to the
 * code, elsewhere; of which size. Each memory operand of an instruction counts, implicit ones too; operands of a
 * predicated instruction count whether its condition holds or not. */
#include "tool.h"
#include "mix.h"
TOOL_ABOUT("loads and stores executed, by size and kind of address");

enum kind { LOAD, STORE, UPDATE };
enum where { STACK, CODE, ELSEWHERE };
enum { MAX_SIZE = 1 << 20 };

static enum where where_is(INS ins, UINT32 memop, enum kind k)
{
    REG base = INS_OperandMemoryBaseReg(ins, INS_MemoryOperandIndexToOperandIndex(ins, memop));
    if (base == REG_STACK_PTR || (k != STORE && INS_IsStackRead(ins)) || (k == STORE && INS_IsStackWrite(ins)))
        return STACK;
    return base == REG_INST_PTR ? CODE : ELSEWHERE;
}

static VOID classify(INS ins)
{
    for (UINT32 i = 0; i < INS_MemoryOperandCount(ins); i++) {
        bool reads = INS_MemoryOperandIsRead(ins, i), writes = INS_MemoryOperandIsWritten(ins, i);
        enum kind k = reads && writes ? UPDATE : writes ? STORE : LOAD;
        UINT32 size = INS_MemoryOperandSize(ins, i) % MAX_SIZE;
        UINT32 class = (UINT32)(k * 3 + (int)where_is(ins, i, k)) * MAX_SIZE + size;
        mix_add(class, 0, 1);
        mix_add(class, 1, size * (k == UPDATE ? 2 : 1));
    }
}

static const char *name(UINT32 class)
{
    static char text[64];
    static const char *const kinds[] = { "load", "store", "update" }, *const places[] = { "stack", "code-relative", "" };
    UINT32 k = class / MAX_SIZE;
    snprintf(text, sizeof text, "%s %u%s%s", kinds[k / 3], class % MAX_SIZE, k % 3 == ELSEWHERE ? "" : " ", places[k % 3]);
    return text;
}

int main(int argc, char **argv)
{
    static const struct mix mix = { "operand", { "count", "bytes" }, classify, name };
    tool_begin(argc, argv, mix_report);
    mix_begin(&mix);
    PIN_StartProgram();
}
