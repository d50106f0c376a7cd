/* toprtn: where the program spends its instructions: routines, largest first, with what they make together and the source line
 * that took most of each. */
#include "tool.h"
#include "profile.h"
TOOL_ABOUT("routines by instructions executed in them, with their hottest line");

static struct block **hottest;                  /* by routine number */

static VOID find_hottest(VOID)
{
    hottest = need((routines_count() + 1) * sizeof *hottest);
    for (UINT32 i = 0; i < blocks_count(); i++) {
        struct block *b = block_number(i), **h = &hottest[b->routine->number];
        if (!*h || block_instructions(b) > block_instructions(*h))
            *h = b;
    }
}

static const char *line_of(const struct routine *r)
{
    static char text[256];
    const char *file;
    INT32 line = place_line(hottest[r->number]->address, &file);
    snprintf(text, sizeof text, line ? "%s:%d" : "", base_name(file), line);
    return text;
}

static VOID report(VOID)
{
    size_t n;
    UINT64 sum = blocks_instructions_total(), so_far = 0;
    struct routine_profile *all = profile_routines(&n);
    find_hottest();
    struct report *r = report_new("%s in %s", counted(sum, "instruction"), counted(n, "routine"));
    report_hidden_number(r, "instructions", sum);
    struct table *t = report_table(r, "routines", "instructions:n share:% cumulative:f calls:n routine:t image:t hottest_line:t");
    for (size_t i = 0; i < n; i++) {
        struct routine *f = all[i].routine;
        so_far += all[i].instructions;
        table_row(t, all[i].instructions, percent(so_far, sum), all[i].calls, f->name, f->image->name, line_of(f));
    }
    report_write(r);
    free(hottest);
    free(all);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    blocks_count_all(NULL);
    PIN_StartProgram();
}
