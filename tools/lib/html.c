/* html.c: see html.h. page.html has two places to fill in: the report and the list of views. */
#include "tool.h"
#include "html.h"

KNOB_TEXT(file, "html", "", "also write the report as a page for a browser to this file (%p: the pid)");

extern const char html_page[];
__asm__(".pushsection .rodata\n"
        "html_page: .incbin \"tools/lib/page.html\"\n"
        ".byte 0\n"
        ".popsection");

struct view { const char *kind, *title, *table, *x, *ys; };
static VEC(struct view) views;

BOOL html_wanted(VOID) { return *file != 0; }
VOID html_bars(const char *title, const char *table, const char *label, const char *value)
{
    VEC_ADD(views, ((struct view){ "bars", title, table, label, value }));
}
VOID html_lines(const char *title, const char *table, const char *x, const char *ys)
{
    VEC_ADD(views, ((struct view){ "lines", title, table, x, ys }));
}
VOID html_flame(const char *title, const char *table, const char *stack, const char *value)
{
    VEC_ADD(views, ((struct view){ "flame", title, table, stack, value }));
}

static VOID write_views(FILE *f)
{
    struct json j = { f };
    json_array(&j, NULL);
    for (size_t i = 0; i < views.n; i++) {
        char *ys = strdup(views.at[i].ys), *save = NULL;
        json_object(&j, NULL);
        json_text(&j, "kind", views.at[i].kind);
        json_text(&j, "title", views.at[i].title);
        json_text(&j, "table", views.at[i].table);
        json_text(&j, "x", views.at[i].x);
        json_array(&j, "y");
        for (char *y = strtok_r(ys, " ", &save); y; y = strtok_r(NULL, " ", &save))
            json_text(&j, NULL, y);
        json_end(&j, ']');
        json_end(&j, '}');
        free(ys);
    }
    json_end(&j, ']');
}

/* `<` would end the script in a text like "</script>"; within JSON it is only found in texts. */
static VOID put_script(FILE *f, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("\\u003c", f);
        else
            fputc(*text, f);
}

/* What is before the mark; then the text instead of the mark and its null. */
static const char *fill(FILE *f, const char *page, const char *mark, const char *text)
{
    const char *at = strstr(page, mark);
    fwrite(page, 1, (size_t)(at - page), f);
    put_script(f, text);
    return at + strlen(mark);
}

VOID html_write(struct report *r)
{
    char *data, *list;
    size_t n;
    if (!html_wanted())
        return;
    FILE *f = COTTER_OpenReport(file), *m = open_memstream(&data, &n);
    report_write_json(r, m);
    fclose(m);
    m = open_memstream(&list, &n);
    write_views(m);
    fclose(m);
    const char *rest = fill(f, html_page, "/*REPORT*/null", data);
    rest = fill(f, rest, "/*VIEWS*/null", list);
    fputs(rest, f);
    out_close(f);
    free(data);
    free(list);
}
