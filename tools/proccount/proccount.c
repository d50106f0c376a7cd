/* proccount: for each procedure, how often it was called and how many instructions ran in it. A jump to a procedure's first
 * instruction is a call, as in a tail call. */
#include "tool.h"
#include "profile.h"
TOOL_ABOUT("calls of each procedure, and instructions executed in it");

static VOID report(VOID)
{
    size_t n;
    UINT64 calls = 0;
    struct routine_profile *all = profile_routines(&n);
    for (size_t i = 0; i < n; i++)
        calls += all[i].calls;
    struct report *r = report_new("%s of %s", counted(calls, "call"), counted(n, "procedure"));
    report_hidden_number(r, "calls", calls);
    report_hidden_number(r, "instructions", blocks_instructions_total());
    struct table *t = report_table(r, "procedures", "procedure:t image:t address:x calls:n instructions:n share:%");
    for (size_t i = 0; i < n; i++)
        table_row(t, all[i].routine->name, all[i].routine->image->name, all[i].routine->address, all[i].calls, all[i].instructions);
    table_sort(t, 3);
    report_write(r);
    free(all);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    blocks_count_all(NULL);
    PIN_StartProgram();
}
