/* bbcount: how often each basic block ran. A block is what runs from its first instruction to the next that can leave; code
 * that is entered in the middle is a block of its own. */
#include "tool.h"
TOOL_ABOUT("executions of each basic block");

static VOID report(VOID)
{
    UINT64 executions = 0, ran = 0, instructions = blocks_instructions_total();
    for (UINT32 i = 0; i < blocks_count(); i++) {
        executions += block_executions(block_number(i));
        ran += block_executions(block_number(i)) > 0;
    }
    struct report *r = report_new("%s of %s", counted(executions, "execution"), counted(ran, "block"));
    report_hidden_number(r, "executions", executions);
    report_hidden_number(r, "instructions", instructions);
    struct table *t = report_table(r, "blocks", "address:x length:n executions:n instructions:n share:% place:t");
    for (UINT32 i = 0; i < blocks_count(); i++) {
        struct block *b = block_number(i);
        UINT64 n = block_executions(b);
        if (n)
            table_row(t, b->address, (UINT64)b->n_ins, n, block_instructions(b), place_text(b->address));
    }
    table_sort(t, 3);
    report_write(r);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    blocks_count_all(NULL);
    PIN_StartProgram();
}
