/* sym_routine.c: routines: the executable sections cut at every function symbol.
 *
 *  (1) Every byte of an executable section is in the range of exactly one routine; ranges do not cross sections.
 *  (2) order[] and starts[] are sorted by address and agree; a routine never moves in memory.
 *  (3) by_id[id] is the routine with that id; ids only grow. */
#include <stdio.h>
#include <stdlib.h>
#include "api/sym_int.h"

/* Between two symbols, less than this is padding and belongs to the first; more is code without a symbol. */
enum { PADDING = 64 };

/* Where a routine begins, before ranges are known. */
struct point { addr_t value; u64 size; const char *name; u32 symbol, section; };
struct points {
    struct sym_image *img;
    struct point *p;
    u32 n, max;
    struct fde { addr_t value; u64 size; } *fde;    /* sorted; empty unless asked for */
    u32 n_fde, max_fde, next_fde;
};

static void add_point(struct points *l, struct point p)
{
    if (l->n == l->max) {
        u32 max = l->max ? l->max * 2 : 4096;
        struct point *q = realloc(l->p, max * sizeof *q);
        if (!q)
            return;
        l->p = q;
        l->max = max;
    }
    l->p[l->n++] = p;
}

/* ---- Code without symbols ---- */

static bool add_fde(void *ctx, addr_t value, u64 size)
{
    struct points *l = ctx;
    if (l->n_fde == l->max_fde) {
        u32 max = l->max_fde ? l->max_fde * 2 : 4096;
        struct fde *f = max <= 1u << 26 ? realloc(l->fde, max * sizeof *f) : NULL;
        if (!f)
            return false;
        l->fde = f;
        l->max_fde = max;
    }
    l->fde[l->n_fde++] = (struct fde){value, size};
    return true;
}

static int compare_fdes(const void *a, const void *b)
{
    const struct fde *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void add_artificial(struct points *l, addr_t value, u32 section)
{
    add_point(l, (struct point){value, 0, l->img->sections[section].name, SYM_NONE, section});
}

static void add_from_fde(struct points *l, const struct fde *f, u32 section)
{
    char *name = sym_arena_alloc(&l->img->arena, 24);
    if (!name)
        return;
    snprintf(name, 24, "sub_%lx", (unsigned long)f->value);
    add_point(l, (struct point){f->value, f->size, name, SYM_NONE, section});
}

/* The bytes [from, to) belong to no symbol. `must_cover`: no routine lies before them that could take
 * the first ones. */
static void fill_gap(struct points *l, addr_t from, addr_t to, u32 section, bool must_cover)
{
    while (l->next_fde < l->n_fde && l->fde[l->next_fde].value < from)
        l->next_fde++;
    addr_t first = l->next_fde < l->n_fde ? MIN(l->fde[l->next_fde].value, to) : to;
    if (from < first && (must_cover || first - from >= PADDING))
        add_artificial(l, must_cover ? from : MIN(ROUND_UP(from, 16), first - 1), section);
    for (; l->next_fde < l->n_fde && l->fde[l->next_fde].value < to; l->next_fde++)
        if (!l->n || l->p[l->n - 1].value != l->fde[l->next_fde].value)
            add_from_fde(l, &l->fde[l->next_fde], section);
}

/* ---- Cutting ---- */

/* Cuts one section; `i` is the first symbol not yet used. Returns the first symbol behind the section. */
static u32 cut_section(struct points *l, u32 section, u32 i)
{
    struct sym_image *img = l->img;
    addr_t low = img->sections[section].address - img->bias, high = low + img->sections[section].size;
    addr_t covered = low;                   /* up to here every byte has an owner that was told its size */
    while (i < img->n_symbols && img->symbols[i].value < low)
        i++;
    while (i < img->n_symbols && img->symbols[i].value < high) {
        const struct sym_symbol *s = &img->symbols[i];
        if (s->value > covered)
            fill_gap(l, covered, s->value, section, covered == low);
        add_point(l, (struct point){s->value, s->size, s->name, i, section});
        u64 size = 0;
        for (addr_t v = s->value; i < img->n_symbols && img->symbols[i].value == v; i++)
            size = MAX(size, img->symbols[i].size);
        addr_t next = i < img->n_symbols ? MIN(img->symbols[i].value, high) : high;
        addr_t end = size && size < high - s->value ? s->value + size : size ? high : next;
        covered = MAX(covered, end);
    }
    if (covered < high)
        fill_gap(l, covered, high, section, covered == low);
    return i;
}

static void cut_all(struct points *l)
{
    struct sym_image *img = l->img;
    if (img->flags & SYM_FDE_RANGES) {
        sym_each_fde(img, add_fde, l);
        if (l->n_fde)
            qsort(l->fde, l->n_fde, sizeof *l->fde, compare_fdes);
    }
    for (u32 i = 0, symbol = 0; i < img->n_code; i++)
        symbol = cut_section(l, img->code[i], symbol);
}

/* ---- Ranges ---- */

static addr_t section_end(const struct sym_image *img, u32 section)
{
    return img->sections[section].address + img->sections[section].size;
}

/* Range and size of the routine at a position, from its successor's start. */
static void set_range(struct sym_image *img, u32 i, u64 size)
{
    struct sym_routine *r = img->order[i];
    addr_t end = section_end(img, r->section);
    if (i + 1 < img->n_routines && img->starts[i + 1] < end)
        end = img->starts[i + 1];
    r->range = end - r->address;
    r->size = size && size <= r->range ? size : r->range;
}

static bool reserve(struct sym_image *img, u32 max)
{
    if (max <= img->max_routines)
        return true;
    void *a = realloc(img->by_id, max * sizeof *img->by_id);
    img->by_id = a ? a : img->by_id;
    void *b = realloc(img->order, max * sizeof *img->order);
    img->order = b ? b : img->order;
    void *c = realloc(img->starts, max * sizeof *img->starts);
    img->starts = c ? c : img->starts;
    if (!a || !b || !c)
        return false;
    img->max_routines = max;
    return true;
}

static void publish(struct points *l)
{
    struct sym_image *img = l->img;
    img->block = calloc(l->n + 1, sizeof *img->block);
    if (!img->block || !reserve(img, l->n + 1))
        return;
    for (u32 i = 0; i < l->n; i++) {
        const struct point *p = &l->p[i];
        img->block[i] = (struct sym_routine){.name = p->name, .address = img->bias + p->value, .section = p->section,
                                             .symbol = p->symbol, .id = i, .is_artificial = p->symbol == SYM_NONE};
        img->by_id[i] = img->order[i] = &img->block[i];
        img->starts[i] = img->block[i].address;
    }
    img->n_routines = img->n_block = l->n;
    for (u32 i = 0; i < l->n; i++)
        set_range(img, i, l->p[i].size);
}

void sym_load_routines(struct sym_image *img)
{
    if (img->has_routines)
        return;
    img->has_routines = true;
    sym_load_symbols(img);
    struct points l = {.img = img};
    if (img->is_ok)
        cut_all(&l);
    if (l.n)
        publish(&l);
    free(l.p);
    free(l.fde);
}

void sym_free_routines(struct sym_image *img)
{
    for (u32 i = img->n_block; i < img->n_routines; i++)
        free(img->by_id[i]);
    free(img->block);
    free(img->by_id);
    free(img->order);
    free(img->starts);
}

/* ---- Questions ---- */

u32 sym_n_routines(struct sym_image *img)
{
    sym_load_routines(img);
    return img->n_routines;
}

const struct sym_routine *sym_routine(struct sym_image *img, u32 i)
{
    return i < sym_n_routines(img) ? img->order[i] : NULL;
}

const struct sym_routine *sym_routine_by_id(struct sym_image *img, u32 id)
{
    return id < sym_n_routines(img) ? img->by_id[id] : NULL;
}

/* Number of routines that begin at or below an address. */
static u32 count_below(struct sym_image *img, addr_t address)
{
    u32 low = 0, high = sym_n_routines(img);
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (img->starts[mid] <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const struct sym_routine *sym_routine_at(struct sym_image *img, addr_t address)
{
    u32 n = count_below(img, address);
    return n && address - img->starts[n - 1] < img->order[n - 1]->range ? img->order[n - 1] : NULL;
}

u32 sym_routine_position(struct sym_image *img, const struct sym_routine *r)
{
    return count_below(img, r->address) - 1;
}

u32 sym_section_routines(struct sym_image *img, u32 section, u32 *n)
{
    *n = 0;
    const struct sym_section *s = sym_section(img, section);
    if (!s || !s->is_executable || !s->size || sym_code_section(img, s->address - img->bias) != section)
        return 0;
    u32 first = s->address ? count_below(img, s->address - 1) : 0;
    *n = count_below(img, s->address + s->size - 1) - first;
    return first;
}

/* Names given by the caller come first; artificial names (.text) last. */
const struct sym_routine *sym_routine_by_name(struct sym_image *img, const char *name)
{
    for (u32 i = sym_n_routines(img); i-- > (img->has_renamed ? 0 : img->n_block);)
        if (img->by_id[i]->is_created && !strcmp(img->by_id[i]->name, name))
            return img->by_id[i];
    const struct sym_symbol *s = sym_symbol_by_name(img, name);
    if (s)
        return sym_routine_at(img, img->bias + s->value);
    for (u32 i = 0; i < img->n_routines; i++)
        if (img->order[i]->is_artificial && !strcmp(img->order[i]->name, name))
            return img->order[i];
    return NULL;
}

/* ---- Making routines ---- */

static struct sym_routine *insert(struct sym_image *img, u32 at, addr_t address)
{
    struct sym_routine *r = calloc(1, sizeof *r);
    u32 n = img->n_routines;
    if (!r || (n == img->max_routines && !reserve(img, n * 2))) {
        free(r);
        return NULL;
    }
    memmove(&img->order[at + 1], &img->order[at], (n - at) * sizeof *img->order);
    memmove(&img->starts[at + 1], &img->starts[at], (n - at) * sizeof *img->starts);
    *r = (struct sym_routine){.address = address, .section = img->order[at - 1]->section, .symbol = SYM_NONE, .id = n,
                              .is_created = true};
    img->by_id[n] = img->order[at] = r;
    img->starts[at] = address;
    img->n_routines++;
    set_range(img, at, 0);
    set_range(img, at - 1, img->order[at - 1]->size);
    return r;
}

const struct sym_routine *sym_routine_create(struct sym_image *img, addr_t address, const char *name)
{
    struct sym_routine *r = (struct sym_routine *)sym_routine_at(img, address);
    const char *own = sym_arena_join(&img->arena, name, strlen(name), "");
    if (!r || !own)
        return NULL;
    if (r->address == address)
        img->has_renamed = true;
    else
        r = insert(img, count_below(img, address), address);
    if (r) {
        r->name = own;
        r->is_artificial = false;
        r->is_created = true;
    }
    return r;
}
