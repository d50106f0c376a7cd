/* html.h: a report as a page for a browser, with -html FILE: named values, charts, a sortable table for each table of the
 * report, a flame graph. One file, no network: it holds the report as JSON and a script that draws it (page.html).
 *
 *     html_lines("Pages in use", "intervals", "instructions", "pages touched");
 *     html_write(r);           before report_write(r)
 *
 * A view names a table of the report and its columns. */
#ifndef TOOLS_HTML_H
#define TOOLS_HTML_H

BOOL html_wanted(VOID);                         /* -html was given */
VOID html_bars(const char *title, const char *table, const char *label, const char *value);    /* the 20 largest */
VOID html_lines(const char *title, const char *table, const char *x, const char *ys);          /* ys: columns, with spaces between */
/* stack: "main;work;strlen", outermost first. That table is not shown as a table. */
VOID html_flame(const char *title, const char *table, const char *stack, const char *value);
VOID html_write(struct report *r);              /* does nothing without -html */
#endif
