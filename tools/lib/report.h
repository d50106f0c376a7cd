/* report.h: a report is a headline, a few named values and tables. It is written as aligned text, or as JSON with -json.
 *
 *     struct report *r = report_new("%s calls", commas(n));
 *     report_number(r, "calls", n);
 *     struct table *t = report_table(r, "routines", "routine:t image:t calls:n share:%");
 *     table_row(t, "main", "a.out", (UINT64)1);
 *     table_sort(t, 2);
 *     report_write(r);
 *
 * Columns are NAME:KIND. Kinds and what table_row takes for them: t text (const char *, copied), n number (UINT64), d a number that
 * only names something (UINT64), x address
 * (ADDRINT), f real (double); % takes nothing: it is the share of the number to its left in that column's sum (or what
 * table_whole said). Option: -top N, the rows shown as text. */
#ifndef TOOLS_REPORT_H
#define TOOLS_REPORT_H

struct report *report_new(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
VOID report_number(struct report *r, const char *name, UINT64 n);
VOID report_real(struct report *r, const char *name, double x);
VOID report_text(struct report *r, const char *name, const char *text);
/* The text report shows no value with hidden: for what the headline says already. */
VOID report_hidden_number(struct report *r, const char *name, UINT64 n);
VOID report_note(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));       /* a line at the end */
VOID report_headline(FILE *f, const char *text);      /* for reports made by hand: "tool: text", and whose it is */
struct json;
VOID report_json_begin(struct json *j);               /* the same in JSON: the members that every report begins with */
struct table *report_table(struct report *r, const char *name, const char *columns);
VOID report_write(struct report *r);            /* to -o; frees it */
VOID report_write_to(struct report *r, FILE *f);        /* does not free it */
VOID report_free(struct report *r);
VOID report_write_json(struct report *r, FILE *f);      /* the same, always as JSON */

VOID table_row(struct table *t, ...);
VOID table_sort(struct table *t, int column);   /* numbers: largest first; text: ascending; equal ones keep their order */
VOID table_whole(struct table *t, int column, UINT64 whole);
VOID table_show_all(struct table *t);           /* not cut by -top */
VOID table_only_json(struct table *t);
VOID table_only_text(struct table *t);
VOID table_only_if_several(struct table *t);    /* as text, only when it has more than one row */
VOID table_title(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
size_t table_rows(const struct table *t);
INT64 report_top(VOID);
#endif
