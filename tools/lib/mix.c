/* mix.c: see mix.h. */
#include "tool.h"
#include "mix.h"
#include "html.h"
#include "names.h"
#include <fnmatch.h>

KNOB_TEXT(by, "by", "program", "a table for the whole program, or one row set for each: image, routine, block");
KNOB_TEXT(routine_glob, "routine", "*", "only code of routines with such a name");
KNOB_TEXT(image_glob, "image", "*", "only code of images with such a name (without folders)");

enum { COLUMNS = 3 };
/* What one block does: amounts for each execution, and how many of its instructions no earlier block had. */
struct part { UINT32 kind, amount[COLUMNS], n_static; UINT64 counted; };
/* The same by instruction, for blocks that were left in the middle. */
struct share { UINT16 part, ins; UINT32 column : 2, amount : 30; };
struct parts { VEC(struct part) v; VEC(struct share) shares; UINT32 n_static; };

static const struct mix *mix;
static struct parts *current;
static UINT16 current_ins;                      /* its number in the block */
static bool is_first_time;                      /* the instruction being classified is seen for the first time */
static UINT64 serial;                           /* of that instruction: it counts once for a kind */
static struct map seen;

VOID mix_add(UINT32 kind, int column, UINT32 amount)
{
    struct part *p = NULL;
    for (size_t i = 0; i < current->v.n && !p; i++)
        if (current->v.at[i].kind == kind)
            p = &current->v.at[i];
    if (!p) {
        VEC_ADD(current->v, ((struct part){ .kind = kind }));
        p = &current->v.at[current->v.n - 1];
    }
    p->amount[column] += amount;
    VEC_ADD(current->shares, ((struct share){ (UINT16)(p - current->v.at), current_ins, (UINT32)column, amount }));
    p->n_static += is_first_time && p->counted != serial;
    p->counted = serial;
}

/* The same address with another opcode is other code: generated, or loaded later. */
static bool is_new(INS ins)
{
    UINT64 key[2] = { INS_Address(ins), INS_Opcode(ins) };
    UINT64 *known = map_at(&seen, hash_bytes(key, sizeof key, 0));
    return !(*known)++;
}

static VOID look(struct block *b, BBL bbl)
{
    current = b->data = need(sizeof *current);
    current_ins = 0;
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
        is_first_time = is_new(ins);
        current->n_static += is_first_time;
        serial++;
        mix->classify(ins);
        current_ins++;
    }
}

/* ---- report ---- */
struct total { UINT32 kind; UINT64 amount[COLUMNS], n_static; };
struct group { struct map index; VEC(struct total) v; UINT64 instructions, n_static; };

static struct total *total_of(struct group *g, UINT32 kind)
{
    UINT64 *at = map_at(&g->index, kind + 1);
    if (!*at) {
        VEC_ADD(g->v, ((struct total){ .kind = kind }));
        *at = g->v.n;
    }
    return &g->v.at[*at - 1];
}

static VOID take_back(struct group *g, const struct block *b)
{
    const struct parts *parts = b->data;
    for (size_t i = 0; b->left_before && i < parts->shares.n; i++) {
        const struct share *s = &parts->shares.at[i];
        UINT64 missed = block_executions(b) - block_executions_of(b, s->ins);
        total_of(g, parts->v.at[s->part].kind)->amount[s->column] -= missed * s->amount;
    }
}

static VOID add_block(struct group *g, const struct block *b)
{
    const struct parts *parts = b->data;
    UINT64 n = block_executions(b);
    g->instructions += block_instructions(b);
    g->n_static += n ? parts->n_static : 0;
    for (size_t i = 0; n && i < parts->v.n; i++) {
        const struct part *p = &parts->v.at[i];
        struct total *t = total_of(g, p->kind);
        for (int c = 0; c < COLUMNS; c++)
            t->amount[c] += n * p->amount[c];
        t->n_static += p->n_static;
    }
    take_back(g, b);
}

static bool is_wanted(const struct block *b)
{
    return name_fits(routine_glob, b->routine->name) && !fnmatch(image_glob, b->routine->image->name, 0);
}

/* "opcode:t count:n share:% static:n" */
static char *columns_of(const char *owner)
{
    char *text = need_text("%s%s:t", owner, mix->row);
    for (int c = 0; c < COLUMNS && mix->columns[c]; c++) {
        char *longer = c ? need_text("%s %s:n %s_share:%%", text, mix->columns[c], mix->columns[c])
                         : need_text("%s %s:n share:%%", text, mix->columns[c]);
        free(text);
        text = longer;
    }
    char *all = need_text("%s static:n", text);
    free(text);
    return all;
}

static VOID put_row(struct table *t, const char *owner, const struct total *k)
{
    const char *name = mix->name(k->kind);
    int n = 1 + !!mix->columns[1] + (mix->columns[1] && mix->columns[2]);
    const UINT64 *a = k->amount;
    if (owner && n == 1) table_row(t, owner, name, a[0], k->n_static);
    else if (owner && n == 2) table_row(t, owner, name, a[0], a[1], k->n_static);
    else if (owner) table_row(t, owner, name, a[0], a[1], a[2], k->n_static);
    else if (n == 1) table_row(t, name, a[0], k->n_static);
    else if (n == 2) table_row(t, name, a[0], a[1], k->n_static);
    else table_row(t, name, a[0], a[1], a[2], k->n_static);
}

static VOID free_group(struct group *g)
{
    map_clear(&g->index);
    free(g->v.at);
    free(g);
}

/* ---- rows of each image, routine or block ---- */
static UINT32 owner_of(const struct block *b)
{
    return !strcmp(by, "image") ? b->routine->image->number : !strcmp(by, "routine") ? b->routine->number : b->number;
}

static const char *owner_name(const struct block *b)
{
    return !strcmp(by, "image") ? b->routine->image->name : !strcmp(by, "routine") ? b->routine->name : place_text(b->address);
}

struct owner { struct group group; const struct block *example; };

static int by_instructions(const VOID *a, const VOID *b)
{
    const struct owner *const *p = a, *const *q = b;
    return ((*p)->group.instructions < (*q)->group.instructions) - ((*p)->group.instructions > (*q)->group.instructions);
}

static VOID report_owners(struct report *r)
{
    VEC(struct owner *) owners = { 0 };
    struct map index = { 0 };
    for (UINT32 i = 0; i < blocks_count(); i++) {
        struct block *b = block_number(i);
        if (!is_wanted(b) || !block_executions(b))
            continue;
        UINT64 *at = map_at(&index, owner_of(b) + 1);
        if (!*at) {
            struct owner *o = need(sizeof *o);
            o->example = b;
            VEC_ADD(owners, o);
            *at = (UINT64)o;
        }
        add_block(&((struct owner *)*at)->group, b);
    }
    if (owners.n)
        qsort(owners.at, owners.n, sizeof *owners.at, by_instructions);
    char *prefix = need_text("%s:t ", by), *columns = columns_of(prefix), *name = need_text("%ss", by);
    struct table *all = report_table(r, name, columns);
    table_only_json(all);
    for (size_t i = 0; i < owners.n; i++) {
        struct owner *o = owners.at[i];
        struct table *t = (INT64)i < report_top() ? report_table(r, "", columns + strlen(prefix)) : NULL;
        for (size_t k = 0; k < o->group.v.n; k++) {
            put_row(all, owner_name(o->example), &o->group.v.at[k]);
            if (t)
                put_row(t, NULL, &o->group.v.at[k]);
        }
        if (t) {
            table_sort(t, 1);
            table_only_text(t);
            table_title(t, "%s, %s instructions", owner_name(o->example), commas(o->group.instructions));
        }
    }
    map_clear(&index);
    free(prefix), free(columns), free(name);
}

VOID mix_report(VOID)
{
    struct group *g = need(sizeof *g);
    for (UINT32 i = 0; i < blocks_count(); i++)
        if (is_wanted(block_number(i)))
            add_block(g, block_number(i));
    UINT64 in_all = blocks_instructions_total();
    struct report *r = g->instructions == in_all ? report_new("%s", counted(in_all, "instruction"))
        : report_new("%s, %.2f%% of %s", counted(g->instructions, "instruction"), percent(g->instructions, in_all), commas(in_all));
    report_hidden_number(r, "instructions", g->instructions);
    report_hidden_number(r, "static", g->n_static);
    char *columns = columns_of("");
    struct table *t = report_table(r, "mix", columns);
    for (size_t i = 0; i < g->v.n; i++)
        put_row(t, NULL, &g->v.at[i]);
    table_sort(t, 1);
    if (strcmp(by, "program"))
        report_owners(r);
    char *title = need_text("Most frequent: %s by %s", mix->row, mix->columns[0]);
    html_bars(title, "mix", mix->row, mix->columns[0]);
    html_write(r);
    report_write(r);
    free(title);
    free(columns);
    free_group(g);
}

VOID mix_begin(const struct mix *m)
{
    if (strcmp(by, "program") && strcmp(by, "image") && strcmp(by, "routine") && strcmp(by, "block"))
        tool_fail("-by %s: program, image, routine or block", by);
    mix = m;
    blocks_count_all(look);
}
