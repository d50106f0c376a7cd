/* compare.c: see compare.h. Rows that differ by more than a hundredth of A's instructions are marked, as in the table of the
 * 2005 paper. */
#include "tool.h"
#include "compare.h"
#include "names.h"

struct row { const char *opcode; INT64 a, b; };
static VEC(struct row) rows;

static struct row *row_of(const char *opcode)
{
    for (size_t i = 0; i < rows.n; i++)
        if (!strcmp(rows.at[i].opcode, opcode))
            return &rows.at[i];
    VEC_ADD(rows, ((struct row){ opcode, 0, 0 }));
    return &rows.at[rows.n - 1];
}

static VOID take(const char *path, const char *routine, bool is_b)
{
    const struct json_value *report = json_read(path);
    const struct json_value *table = json_member(report, routine ? "routines" : "mix");
    if (strcmp(json_text_of(report, "tool"), "opcodemix"))
        tool_fail("%s is no report of opcodemix", path);
    if (!table)
        tool_fail("%s has no routines: write it with -by routine", path);
    for (const struct json_value *v = table->first; v; v = v->next) {
        if (routine && !name_fits(routine, json_text_of(v, "routine")))
            continue;
        struct row *r = row_of(json_text_of(v, "opcode"));
        *(is_b ? &r->b : &r->a) += (INT64)json_number_of(v, "count");
    }
}

static int by_count(const VOID *x, const VOID *y)
{
    const struct row *p = x, *q = y;
    return p->a != q->a ? (p->a < q->a) - (p->a > q->a) : p->b != q->b ? (p->b < q->b) - (p->b > q->b) : strcmp(p->opcode, q->opcode);
}

static VOID print(const struct row *r, INT64 threshold)
{
    INT64 delta = r->b - r->a;
    char text[48];
    snprintf(text, sizeof text, "%s%s", delta < 0 ? "-" : delta > 0 ? "+" : "", commas((UINT64)(delta < 0 ? -delta : delta)));
    bool is_marked = delta < -threshold || delta > threshold;
    printf("%-16s %18s %18s %18s%s\n", r->opcode, commas((UINT64)r->a), commas((UINT64)r->b), text, is_marked ? " \u2190" : "");
}

int compare_reports(int argc, char **argv)
{
    const char *routine = NULL;
    if (argc == 4 && (!strcmp(argv[2], "-routine") || !strcmp(argv[2], "--routine")))
        routine = argv[3];
    else if (argc != 2)
        tool_fail("usage: cotter run opcodemix --compare A.json B.json [-routine GLOB]");
    take(argv[0], routine, false);
    take(argv[1], routine, true);
    struct row total = { "*total", 0, 0 };
    for (size_t i = 0; i < rows.n; i++) {
        total.a += rows.at[i].a;
        total.b += rows.at[i].b;
    }
    if (!rows.n)
        tool_fail("nothing to compare: no routine called %s in either report", routine ? routine : "*");
    qsort(rows.at, rows.n, sizeof *rows.at, by_count);
    printf("A: %s\nB: %s\n%s%s%s\n", argv[0], argv[1], routine ? "routine: " : "", routine ? routine : "", routine ? "\n" : "");
    printf("%-16s %18s %18s %18s\n", "opcode", "A", "B", "delta");
    print(&total, total.a / 100);
    for (size_t i = 0; i < rows.n; i++)
        print(&rows.at[i], total.a / 100);
    return 0;
}
