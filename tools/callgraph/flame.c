/* flame.c: folded stacks, and the same as a picture: a box for each chain of calls, as wide as its share of the instructions.
 * Calls from different places in a routine are one box. A click on a box makes it as wide as the picture. */
#include "tool.h"
#include "formats.h"

/* ---- the tree without call sites ---- */
static struct tree plain;

static VOID make_plain(const struct tree *t)
{
    static struct tree copy;
    UINT32 *place = need(t->nodes.n * sizeof *place);
    tree_init(&copy);
    for (size_t i = 0; i < t->nodes.n; i++) {
        const struct node *n = &t->nodes.at[i];
        place[i] = i ? tree_child(&copy, place[n->parent], 0, n->routine) : 0;
        copy.nodes.at[place[i]].self += n->self;
    }
    tree_sum(&copy);
    plain = copy;
    free(place);
}

static VOID drop_plain(VOID)
{
    map_clear(&plain.index);
    free(plain.nodes.at);
}

static const char *name_of(const struct node *n) { return n->routine ? n->routine->name : "all"; }

/* ---- folded ---- */
static VOID write_chain(FILE *f, UINT32 i)
{
    const struct node *n = &plain.nodes.at[i];
    if (!i)
        return;
    write_chain(f, n->parent);
    fputs(n->parent ? ";" : "", f);
    for (const char *c = name_of(n); *c; c++)
        fputc(*c == ';' || *c == ' ' ? '_' : *c, f);
}

VOID folded_write(FILE *f, const struct tree *t)
{
    make_plain(t);
    for (size_t i = 0; i < plain.nodes.n; i++)
        if (plain.nodes.at[i].self) {
            write_chain(f, (UINT32)i);
            fprintf(f, "%s %lu\n", i ? "" : "(outside_of_routines)", plain.nodes.at[i].self);
        }
    drop_plain();
}

/* Chains that would not be seen are charged to the one that they come from: a page would have a hundred times as many.
 * Children come after their parents. */
static VOID prune_plain(VOID)
{
    enum { SMALLEST = 4000 };                   /* part of the whole */
    for (size_t i = plain.nodes.n; i-- > 1;) {
        struct node *n = &plain.nodes.at[i];
        if (n->inclusive >= plain.nodes.at[0].inclusive / SMALLEST)
            continue;
        plain.nodes.at[n->parent].self += n->self;
        n->self = 0;
    }
}

VOID stacks_add(struct table *to, const struct tree *t)
{
    make_plain(t);
    prune_plain();
    for (size_t i = 1; i < plain.nodes.n; i++) {
        char *text = NULL;
        size_t size;
        if (!plain.nodes.at[i].self)
            continue;
        FILE *f = open_memstream(&text, &size);
        write_chain(f, (UINT32)i);
        fclose(f);
        table_row(to, text, plain.nodes.at[i].self);
        free(text);
    }
    drop_plain();
}

/* ---- SVG ---- */
enum { WIDTH = 1200, ROW = 18, MARGIN = 30, LETTER = 7 };

static VOID write_escaped(FILE *f, const char *text, int most)
{
    for (; *text && most; text++, most--) {
        const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : *text == '"' ? "&quot;" : NULL;
        if (entity)
            fputs(entity, f);
        else
            fputc(*text >= ' ' && *text < 0x7f ? *text : '?', f);
    }
}

static VOID write_box(FILE *f, const struct node *n, double x, double width, int y)
{
    UINT64 h = hash_bytes(name_of(n), strlen(name_of(n)), 7);
    fprintf(f, "<g class='b' data-x='%.4f' data-w='%.4f' data-d='%u'><title>", x, width, n->depth);
    write_escaped(f, name_of(n), 200);
    fprintf(f, " (%s): %s instructions, %.2f%%</title>", n->routine ? n->routine->image->name : "", commas(n->inclusive),
            percent(n->inclusive, plain.nodes.at[0].inclusive));
    fprintf(f, "<rect x='%.2f' y='%d' width='%.2f' height='%d' fill='rgb(%d,%d,%d)'/>", x, y, width, ROW - 1,
            (int)(205 + h % 50), (int)(90 + h / 64 % 120), (int)(h / 8192 % 60));
    fprintf(f, "<text x='%.2f' y='%d'>", x + 3, y + 13);
    write_escaped(f, name_of(n), width < 3 * LETTER ? 0 : (int)((width - 6) / LETTER));
    fputs("</text><desc>", f);
    write_escaped(f, name_of(n), 200);
    fputs("</desc></g>\n", f);
}

static UINT32 depth_shown;

/* Boxes narrower than a third of a pixel are left out, with what is above them. */
static VOID write_boxes(FILE *f, UINT32 i, double x, int height)
{
    const struct node *n = &plain.nodes.at[i];
    double unit = (double)WIDTH / (double)(plain.nodes.at[0].inclusive ? plain.nodes.at[0].inclusive : 1);
    double width = (double)n->inclusive * unit;
    if (width < 0.3)
        return;
    if (n->depth > depth_shown)
        depth_shown = n->depth;
    if (f)
        write_box(f, n, x, width, height - MARGIN - (int)(n->depth + 1) * ROW);
    for (UINT32 c = n->first_child; c; c = plain.nodes.at[c].next_sibling) {
        write_boxes(f, c, x, height);
        x += (double)plain.nodes.at[c].inclusive * unit;
    }
}

static const char script[] =
    "<script>//<![CDATA[\n"
    "var all = document.querySelectorAll('g.b'), W = %d;\n"
    "all.forEach(function (g) { g.addEventListener('click', function () { zoom(+g.dataset.x, +g.dataset.w, +g.dataset.d); }); });\n"
    "function zoom(x, w, d) {\n"
    "  all.forEach(function (g) {\n"
    "    var gx = +g.dataset.x, gw = +g.dataset.w, k = W / w;\n"
    "    var isBelow = +g.dataset.d < d && gx <= x + 1e-6 && gx + gw >= x + w - 1e-6, isAbove = gx >= x - 1e-6 && gx + gw <= x + w + 1e-6;\n"
    "    g.style.display = isBelow || (isAbove && +g.dataset.d >= d) ? '' : 'none';\n"
    "    var nx = isBelow ? 0 : (gx - x) * k, nw = isBelow ? W : gw * k;\n"
    "    g.querySelector('rect').setAttribute('x', nx); g.querySelector('rect').setAttribute('width', nw);\n"
    "    var t = g.querySelector('text'); t.setAttribute('x', nx + 3);\n"
    "    t.textContent = nw < 21 ? '' : g.querySelector('desc').textContent.substring(0, (nw - 6) / %d);\n"
    "  });\n"
    "}\n//]]></script>\n";

VOID flame_write(FILE *f, const struct tree *t)
{
    make_plain(t);
    depth_shown = 0;
    write_boxes(NULL, 0, 0, 0);
    int height = 2 * MARGIN + (int)(depth_shown + 1) * ROW;
    fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n", WIDTH, height, WIDTH, height);
    fputs("<style>text { font: 12px monospace; pointer-events: none } g.b { cursor: pointer } rect:hover { stroke: black }</style>\n", f);
    fprintf(f, "<rect width='%d' height='%d' fill='#fafafa'/>\n<text x='%d' y='20' text-anchor='middle'>", WIDTH, height, WIDTH / 2);
    write_escaped(f, base_name(tool_program()), 100);
    fprintf(f, ": %s instructions</text>\n", commas(plain.nodes.at[0].inclusive));
    write_boxes(f, 0, 0, height);
    fprintf(f, script, WIDTH, LETTER);
    fputs("</svg>\n", f);
    drop_plain();
}
