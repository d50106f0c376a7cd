/* summary.c: see summary.h. Time is counted in accesses. Intervals are doubled, two become one, when there are too many. */
#include "tool.h"
#include "html.h"
#include "summary.h"

enum { UNIT = 4096, INTERVALS = 256 };
struct page { ADDRINT address; UINT64 reads, writes, bytes, last_interval; };
struct interval { UINT64 reads, writes, pages; };
static VEC(struct page) pages;
static struct map by_address;
static struct interval intervals[INTERVALS];
static UINT64 n_intervals, length = 1024, in_current, serial = 1;

static VOID halve(VOID)
{
    for (UINT64 i = 0; i < INTERVALS / 2; i++) {
        const struct interval *a = &intervals[2 * i], *b = a + 1;
        intervals[i] = (struct interval){ a->reads + b->reads, a->writes + b->writes, a->pages > b->pages ? a->pages : b->pages };
    }
    n_intervals = INTERVALS / 2;
    length *= 2;
}

static struct page *page_at(ADDRINT a)
{
    UINT64 *at = map_at(&by_address, a / UNIT + 1);
    if (!*at) {
        VEC_ADD(pages, ((struct page){ .address = a / UNIT * UNIT }));
        *at = pages.n;
    }
    return &pages.at[*at - 1];
}

VOID summary_count(char kind, ADDRINT address, UINT32 size)
{
    struct page *p = page_at(address);
    if (in_current == length) {
        in_current = 0;
        serial++;
        if (++n_intervals == INTERVALS)
            halve();
    }
    struct interval *now = &intervals[n_intervals];
    if (!in_current++)
        *now = (struct interval){ 0 };
    now->pages += p->last_interval != serial;
    p->last_interval = serial;
    p->bytes += size;
    *(kind == 'R' ? &p->reads : &p->writes) += 1;
    *(kind == 'R' ? &now->reads : &now->writes) += 1;
}

VOID summary_clear(VOID)
{
    pages.n = 0;
    map_clear(&by_address);
    n_intervals = in_current = 0;
    serial++;
}

VOID summary_write(UINT64 reads, UINT64 writes, UINT64 bytes)
{
    if (!html_wanted())
        return;
    struct report *r = report_new("%s reads, %s writes, %s bytes", commas(reads), commas(writes), commas(bytes));
    report_number(r, "reads", reads);
    report_number(r, "writes", writes);
    report_number(r, "bytes", bytes);
    report_number(r, "pages", pages.n);
    struct table *t = report_table(r, "intervals", "until_access:n reads:n writes:n pages:n");
    UINT64 until = 0;
    for (UINT64 i = 0; i <= n_intervals; i++) {
        until += intervals[i].reads + intervals[i].writes;
        table_row(t, until, intervals[i].reads, intervals[i].writes, intervals[i].pages);
    }
    t = report_table(r, "pages_accessed", "page:t accesses:n share:% reads:n writes:n bytes:n");
    for (size_t i = 0; i < pages.n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%lx", pages.at[i].address);
        table_row(t, name, pages.at[i].reads + pages.at[i].writes, pages.at[i].reads, pages.at[i].writes, pages.at[i].bytes);
    }
    table_sort(t, 1);
    html_lines("Accesses over time", "intervals", "until_access", "reads writes");
    html_lines("Pages touched in an interval", "intervals", "until_access", "pages");
    html_bars("Pages by accesses", "pages_accessed", "page", "accesses");
    html_write(r);
    report_free(r);
}
