/* report.c: see report.h. Tables are in table.c. */
#include "tool.h"
#include "report_int.h"
#include <stdarg.h>
#include <unistd.h>

KNOB_NUMBER(top, "top", 20, "rows of a table shown as text; 0: all");

struct value { const char *name; char kind; bool is_hidden; UINT64 n; double x; char *text; };
struct report {
    char *headline;
    VEC(struct value) values;
    VEC(struct table *) tables;
    VEC(char *) notes;
};

INT64 report_top(VOID) { return top > 0 ? top : INT64_MAX; }

struct report *report_new(const char *fmt, ...)
{
    struct report *r = need(sizeof *r);
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&r->headline, fmt, ap) < 0)
        r->headline = strdup("");
    va_end(ap);
    return r;
}

VOID report_number(struct report *r, const char *name, UINT64 n) { VEC_ADD(r->values, ((struct value){ name, 'n', .n = n })); }
VOID report_real(struct report *r, const char *name, double x) { VEC_ADD(r->values, ((struct value){ name, 'f', .x = x })); }

VOID report_hidden_number(struct report *r, const char *name, UINT64 n)
{
    report_number(r, name, n);
    r->values.at[r->values.n - 1].is_hidden = true;
}

VOID report_text(struct report *r, const char *name, const char *text)
{
    VEC_ADD(r->values, ((struct value){ name, 't', .text = strdup(text) }));
}

VOID report_note(struct report *r, const char *fmt, ...)
{
    char *text;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) >= 0)
        VEC_ADD(r->notes, text);
    va_end(ap);
}

struct table *report_table(struct report *r, const char *name, const char *columns)
{
    struct table *t = table_new(name, columns);
    VEC_ADD(r->tables, t);
    return t;
}

/* ---- text ---- */
static VOID write_values(const struct report *r, FILE *f)
{
    int width = 0;
    for (size_t i = 0; i < r->values.n; i++)
        if (!r->values.at[i].is_hidden && (int)strlen(r->values.at[i].name) > width)
            width = (int)strlen(r->values.at[i].name);
    for (size_t i = 0; i < r->values.n; i++) {
        const struct value *v = &r->values.at[i];
        if (v->is_hidden)
            continue;
        fprintf(f, "  %-*s  ", width, v->name);
        if (v->kind == 'n')
            fprintf(f, "%15s\n", commas(v->n));
        else if (v->kind == 'f')
            fprintf(f, "%15.2f\n", v->x);
        else
            fprintf(f, "%s\n", v->text);
    }
}

/* With children there are several reports on one stream: each says whose it is. */
VOID report_headline(FILE *f, const char *text)
{
    if (COTTER_IsChildProcess())
        fprintf(f, "%s[%d %s]: %s\n", tool_name(), getpid(), base_name(tool_program()), text);
    else
        fprintf(f, "%s: %s\n", tool_name(), text);
}

static VOID write_text(const struct report *r, FILE *f)
{
    report_headline(f, r->headline);
    write_values(r, f);
    for (size_t i = 0; i < r->tables.n; i++)
        table_write_text(r->tables.at[i], f);
    for (size_t i = 0; i < r->notes.n; i++)
        fprintf(f, "%s%s\n", i ? "" : "\n", r->notes.at[i]);
}

/* ---- JSON ---- */
VOID report_json_begin(struct json *j)
{
    json_object(j, NULL);
    json_text(j, "tool", tool_name());
    json_text(j, "program", tool_program());
    json_number(j, "pid", (UINT64)getpid());
    if (tool_exit_code() >= 0)
        json_number(j, "exit", (UINT64)tool_exit_code());
}

VOID report_write_json(struct report *r, FILE *f)
{
    struct json j = { f };
    report_json_begin(&j);
    for (size_t i = 0; i < r->values.n; i++) {
        const struct value *v = &r->values.at[i];
        if (v->kind == 'n')
            json_number(&j, v->name, v->n);
        else if (v->kind == 'f')
            json_real(&j, v->name, v->x);
        else
            json_text(&j, v->name, v->text);
    }
    for (size_t i = 0; i < r->tables.n; i++)
        table_write_json(r->tables.at[i], &j);
    json_end(&j, '}');
}

VOID report_write_to(struct report *r, FILE *f)
{
    if (out_is_json())
        report_write_json(r, f);
    else
        write_text(r, f);
}

VOID report_write(struct report *r)
{
    FILE *f = out_open();
    report_write_to(r, f);
    out_close(f);
    report_free(r);
}

VOID report_free(struct report *r)
{
    for (size_t i = 0; i < r->values.n; i++)
        free(r->values.at[i].text);
    for (size_t i = 0; i < r->tables.n; i++)
        table_free(r->tables.at[i]);
    for (size_t i = 0; i < r->notes.n; i++)
        free(r->notes.at[i]);
    free(r->values.at);
    free(r->tables.at);
    free(r->notes.at);
    free(r->headline);
    free(r);
}
