/* table.c: rows and columns of a report. See report.h. */
#include "tool.h"
#include "report_int.h"
#include <stdarg.h>

enum { MAX_COLUMNS = 16, MAX_WIDTH = 72 };
union cell { char *text; UINT64 n; double x; };
struct row { union cell cell[MAX_COLUMNS]; size_t order; };
struct column { char *name; char kind; UINT64 whole; bool has_whole; };
struct table {
    char *name, *title;
    struct column column[MAX_COLUMNS];
    int n_columns;
    bool shows_all, is_only_json, is_only_text, wants_several;
    VEC(struct row *) rows;
};

struct table *table_new(const char *name, const char *columns)
{
    struct table *t = need(sizeof *t);
    char *copy = strdup(columns), *save;
    t->name = strdup(name);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *colon = strrchr(w, ':');
        if (!colon || t->n_columns == MAX_COLUMNS)
            tool_fail("table %s: bad columns '%s'", name, columns);
        *colon = 0;
        t->column[t->n_columns].name = strdup(w);
        t->column[t->n_columns++].kind = colon[1];
        for (int i = 0; i + 1 < t->n_columns; i++)
            if (!strcmp(t->column[i].name, w))
                tool_fail("table %s: two columns are called %s", name, w);
    }
    free(copy);
    return t;
}

VOID table_free(struct table *t)
{
    for (size_t i = 0; i < t->rows.n; i++) {
        for (int c = 0; c < t->n_columns; c++)
            if (t->column[c].kind == 't')
                free(t->rows.at[i]->cell[c].text);
        free(t->rows.at[i]);
    }
    for (int c = 0; c < t->n_columns; c++)
        free(t->column[c].name);
    free(t->rows.at);
    free(t->name);
    free(t->title);
    free(t);
}

VOID table_row(struct table *t, ...)
{
    struct row *r = need(sizeof *r);
    va_list ap;
    va_start(ap, t);
    for (int c = 0; c < t->n_columns; c++) {
        struct column *k = &t->column[c];
        if (k->kind == 't')
            r->cell[c].text = strdup(va_arg(ap, const char *));
        else if (k->kind == 'f')
            r->cell[c].x = va_arg(ap, double);
        else if (k->kind != '%')
            r->cell[c].n = va_arg(ap, UINT64);
        if (k->kind == 'n' && !k->has_whole)
            k->whole += r->cell[c].n;
    }
    va_end(ap);
    r->order = t->rows.n;
    VEC_ADD(t->rows, r);
}

VOID table_whole(struct table *t, int column, UINT64 whole)
{
    t->column[column].whole = whole;
    t->column[column].has_whole = true;
}

VOID table_show_all(struct table *t) { t->shows_all = true; }
VOID table_only_json(struct table *t) { t->is_only_json = true; }
VOID table_only_text(struct table *t) { t->is_only_text = true; }
VOID table_only_if_several(struct table *t) { t->wants_several = true; }
size_t table_rows(const struct table *t) { return t->rows.n; }

VOID table_title(struct table *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&t->title, fmt, ap) < 0)
        t->title = NULL;
    va_end(ap);
}

/* ---- sorting ---- */
struct order { int column; char kind; };

static int compare(const VOID *a, const VOID *b, VOID *v)
{
    const struct row *p = *(struct row *const *)a, *q = *(struct row *const *)b;
    const struct order *o = v;
    union cell x = p->cell[o->column], y = q->cell[o->column];
    int sign = o->kind == 't' ? strcmp(x.text, y.text)
               : o->kind == 'f' ? (x.x < y.x) - (x.x > y.x)
               : o->kind == 'x' ? (x.n > y.n) - (x.n < y.n) : (x.n < y.n) - (x.n > y.n);
    return sign ? sign : (p->order > q->order) - (p->order < q->order);
}

VOID table_sort(struct table *t, int column)
{
    struct order o = { column, t->column[column].kind };
    if (t->rows.n)
        qsort_r(t->rows.at, t->rows.n, sizeof *t->rows.at, compare, &o);
    for (size_t i = 0; i < t->rows.n; i++)
        t->rows.at[i]->order = i;
}

/* ---- text ---- */
static double share(const struct table *t, const struct row *r, int c)
{
    while (c > 0 && t->column[c].kind != 'n')
        c--;
    return percent(r->cell[c].n, t->column[c].whole);
}

static const char *cell_text(const struct table *t, const struct row *r, int c, char *room, size_t size)
{
    switch (t->column[c].kind) {
    case 't': return r->cell[c].text;
    case 'n': return commas(r->cell[c].n);
    case 'd': snprintf(room, size, "%lu", r->cell[c].n); break;
    case 'x': snprintf(room, size, "%lx", r->cell[c].n); break;
    case 'f': snprintf(room, size, "%.2f", r->cell[c].x); break;
    default: snprintf(room, size, "%.2f%%", share(t, r, c));
    }
    return room;
}

static size_t rows_shown(const struct table *t)
{
    return t->shows_all || (INT64)t->rows.n <= report_top() ? t->rows.n : (size_t)report_top();
}

static int width_of(const struct table *t, int c)
{
    char room[64];
    size_t width = strlen(t->column[c].name);
    for (size_t i = 0; i < rows_shown(t); i++) {
        size_t n = strlen(cell_text(t, t->rows.at[i], c, room, sizeof room));
        if (n > width)
            width = n;
    }
    bool is_last_text = c == t->n_columns - 1 && t->column[c].kind == 't';
    return is_last_text ? 0 : width > MAX_WIDTH ? MAX_WIDTH : (int)width;
}

/* Text stands on the left of its column, all else on the right. Long text pushes its row, rather than being cut. */
static VOID write_cell(FILE *f, char kind, int width, const char *text)
{
    fprintf(f, kind == 't' ? "  %-*s" : "  %*s", width, text);
}

VOID table_write_text(const struct table *t, FILE *f)
{
    int width[MAX_COLUMNS];
    char room[64];
    if (t->is_only_json || !t->rows.n || (t->wants_several && t->rows.n < 2))
        return;
    fprintf(f, "\n%s%s", t->title ? t->title : "", t->title ? ":\n" : "");
    for (int c = 0; c < t->n_columns; c++) {
        width[c] = width_of(t, c);
        write_cell(f, t->column[c].kind, width[c], t->column[c].name);
    }
    fputc('\n', f);
    for (size_t i = 0; i < rows_shown(t); i++) {
        for (int c = 0; c < t->n_columns; c++)
            write_cell(f, t->column[c].kind, width[c], cell_text(t, t->rows.at[i], c, room, sizeof room));
        fputc('\n', f);
    }
    if (rows_shown(t) < t->rows.n)
        fprintf(f, "  ... and %s more (-top 0 shows all)\n", commas(t->rows.n - rows_shown(t)));
}

/* ---- JSON ---- */
VOID table_write_json(const struct table *t, struct json *j)
{
    if (t->is_only_text)
        return;
    json_array(j, t->name);
    for (size_t i = 0; i < t->rows.n; i++) {
        const struct row *r = t->rows.at[i];
        json_object(j, NULL);
        for (int c = 0; c < t->n_columns; c++) {
            const char *key = t->column[c].name;
            switch (t->column[c].kind) {
            case 't': json_text(j, key, r->cell[c].text); break;
            case 'n': case 'd': json_number(j, key, r->cell[c].n); break;
            case 'x': json_address(j, key, r->cell[c].n); break;
            case 'f': json_real(j, key, r->cell[c].x); break;
            default: json_real(j, key, share(t, r, c));
            }
        }
        json_end(j, '}');
    }
    json_end(j, ']');
}
