/* report_int.h: between report.c and table.c. */
#ifndef TOOLS_REPORT_INT_H
#define TOOLS_REPORT_INT_H

struct table *table_new(const char *name, const char *columns);
VOID table_write_text(const struct table *t, FILE *f);
VOID table_write_json(const struct table *t, struct json *j);
VOID table_free(struct table *t);
#endif
