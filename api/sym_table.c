/* sym_table.c: function symbols of .symtab (here or in the debug file) and .dynsym as one sorted list without doubles.
 *
 *  (1) Sorted by address; names of one address by preference, so symbols[i] is the preferred one of its address when
 *      symbols[i - 1] has another.
 *  (2) No two entries agree in address and name.
 *  (3) Every address lies in an executable section. */
#include <stdio.h>
#include <stdlib.h>
#include "api/sym_int.h"

/* Flag bits that stay inside: the name of a version kept for old programs only (memcpy@GLIBC_2.2.5). */
enum { OLD_VERSION = 64 };

/* A growing list; `rank` orders the names of one address. */
struct entry { struct sym_symbol s; u32 rank; };
struct list {
    struct sym_image *img;
    struct entry *e;
    u32 n, max;
    u32 n_sorted;     /* so many are in order; later ones were appended */
};

static struct entry *grow(struct list *l)
{
    if (l->n == l->max) {
        if (l->max >= 1u << 28)
            return NULL;
        u32 max = l->max ? l->max * 2 : 4096;
        struct entry *e = realloc(l->e, max * sizeof *e);
        if (!e)
            return NULL;
        l->e = e;
        l->max = max;
    }
    return &l->e[l->n++];
}

/* What a user would call the function: read, not __read or __GI___libc_read; puts, not _IO_puts. */
static u32 rank_of(const char *name, u8 flags)
{
    bool is_cxx = name[0] == '_' && name[1] == 'Z';
    u32 underscores = is_cxx ? 0 : (u32)strspn(name, "_");
    u32 binding = flags & SYM_LOCAL ? 2 : flags & SYM_WEAK ? 1 : 0;
    u32 origin = (flags & SYM_GENERATED ? 1u << 30 : 0) | (flags & OLD_VERSION ? 1u << 20 : 0);
    return origin | MIN(underscores, 15u) << 8 | binding;
}

static void add(struct list *l, const char *name, addr_t value, u64 size, u8 flags)
{
    u32 section = sym_code_section(l->img, value);
    if (section == SYM_NONE || !name || !*name)
        return;
    struct entry *e = grow(l);
    if (e)
        *e = (struct entry){{name, value, size, section, flags}, rank_of(name, flags)};
}

/* ---- Tables of the file ---- */

/* .symtab spells versions out: memcpy@@GLIBC_2.14 is today's, memcpy@GLIBC_2.2.5 an old one. */
static const char *cut_version(struct list *l, const char *name, u8 *flags)
{
    const char *at = strchr(name, '@');
    if (!at || at == name)
        return name;
    if (at[1] != '@')
        *flags |= OLD_VERSION;
    return sym_arena_join(&l->img->arena, name, (size_t)(at - name), "");
}

static bool is_function(const Elf64_Sym *s)
{
    u32 type = ELF64_ST_TYPE(s->st_info);
    if (s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || s->st_shndx == SHN_COMMON)
        return false;
    /* Hand-written assembly often gives its global labels no type. */
    return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && ELF64_ST_BIND(s->st_info) == STB_GLOBAL);
}

static u8 symbol_flags(const Elf64_Sym *s, u8 table)
{
    u32 bind = ELF64_ST_BIND(s->st_info);
    return table | (ELF64_ST_TYPE(s->st_info) == STT_GNU_IFUNC ? SYM_IFUNC : 0) | (bind == STB_LOCAL ? SYM_LOCAL : 0) |
           (bind == STB_WEAK ? SYM_WEAK : 0);
}

/* `file` holds the table: the image itself or its debug file. */
static void add_table(struct list *l, struct sym_image *file, u32 sh_type, u8 table)
{
    u32 t = sym_find_section_type(file, sh_type);
    if (t == SYM_NONE || file->sh[t].sh_link == 0)
        return;
    struct sym_range syms = sym_section_data(file, t);
    struct sym_strings names = sym_strings_of(sym_section_data(file, file->sh[t].sh_link - 1));
    u32 v = sh_type == SHT_DYNSYM ? sym_find_section_type(file, SHT_GNU_versym) : SYM_NONE;
    struct sym_range versions = v == SYM_NONE ? (struct sym_range){0} : sym_section_data(file, v);
    for (u64 i = 1; i < syms.size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym s;
        memcpy(&s, syms.p + i * sizeof s, sizeof s);
        if (!is_function(&s))
            continue;
        u8 flags = symbol_flags(&s, table);
        u16 version = 0;
        if (versions.size / 2 > i)
            memcpy(&version, versions.p + i * 2, 2);
        if (version & 0x8000)
            flags |= OLD_VERSION;
        const char *name = sym_string(names, s.st_name);
        add(l, table == SYM_STATIC ? cut_version(l, name, &flags) : name, s.st_value, s.st_size, flags);
    }
}

static void add_tables(struct list *l)
{
    struct sym_image *img = l->img;
    bool wants_static = !(img->flags & SYM_NO_SYMTAB);
    if (!(img->flags & SYM_NO_DYNSYM))
        add_table(l, img, SHT_DYNSYM, SYM_DYNAMIC);
    if (wants_static && sym_find_section_type(img, SHT_SYMTAB) != SYM_NONE)
        add_table(l, img, SHT_SYMTAB, SYM_STATIC);
    else if (wants_static && !(img->flags & SYM_NO_DEBUG) && sym_debug_file(img))
        add_table(l, img->debug, SHT_SYMTAB, SYM_STATIC);
}

/* ---- Sort and merge ---- */

/* Stable radix sort by address, a byte at a time, over the bytes in which addresses differ. */
static void sort_by_value(struct list *l)
{
    struct entry *from = l->e, *to = malloc((l->n + 1) * sizeof *to);
    u64 differ = 0;
    for (u32 i = 0; i < l->n; i++)
        differ |= from[i].s.value ^ from[0].s.value;
    for (u32 shift = 0; to && shift < 64; shift += 8) {
        u32 count[257] = {0};
        if (!(differ >> shift & 255))
            continue;
        for (u32 i = 0; i < l->n; i++)
            count[(from[i].s.value >> shift & 255) + 1]++;
        for (u32 i = 0; i < 256; i++)
            count[i + 1] += count[i];
        for (u32 i = 0; i < l->n; i++)
            to[count[from[i].s.value >> shift & 255]++] = from[i];
        struct entry *swap = from;
        from = to;
        to = swap;
    }
    if (!to)
        l->n = 0;
    free(to);
    l->e = from;
    l->max = l->n_sorted = l->n;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->s.name, ((const struct entry *)b)->s.name);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    size_t m = strlen(x->s.name), n = strlen(y->s.name);
    return m != n ? (m < n ? -1 : 1) : strcmp(x->s.name, y->s.name);
}

/* One symbol that two tables know. A name is old or local only if both say so. */
static void merge(struct entry *into, const struct entry *e)
{
    enum { BOTH = SYM_LOCAL | SYM_WEAK | OLD_VERSION | SYM_GENERATED };
    u8 common = into->s.flags & e->s.flags;
    into->s.flags = (u8)(((into->s.flags | e->s.flags) & ~BOTH) | (common & BOTH));
    into->s.size = MAX(into->s.size, e->s.size);
    into->rank = MIN(into->rank, e->rank);
}

/* Merge and order the n entries of one address; how many remain. */
static u32 settle_group(struct entry *e, u32 n)
{
    u32 kept = 1;
    if (n == 1)
        return 1;
    qsort(e, n, sizeof *e, compare_names);
    for (u32 i = 1; i < n; i++)
        if (strcmp(e[kept - 1].s.name, e[i].s.name))
            e[kept++] = e[i];
        else
            merge(&e[kept - 1], &e[i]);
    qsort(e, kept, sizeof *e, compare_ranks);
    return kept;
}

static void settle(struct list *l)
{
    u32 out = 0;
    for (u32 i = 0, n; i < l->n; i += n) {
        for (n = 1; i + n < l->n && l->e[i + n].s.value == l->e[i].s.value;)
            n++;
        u32 kept = settle_group(&l->e[i], n);
        memmove(&l->e[out], &l->e[i], kept * sizeof *l->e);
        out += kept;
    }
    l->n = out;
}

/* ---- Made-up symbols ---- */

/* The best of the names of an address, among the entries that are sorted by now. */
static const struct entry *find_value(const struct list *l, addr_t value)
{
    u32 low = 0, high = l->n_sorted;
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (l->e[mid].s.value < value)
            low = mid + 1;
        else
            high = mid;
    }
    const struct entry *best = NULL;
    for (; low < l->n_sorted && l->e[low].s.value == value; low++)
        if (!best || l->e[low].rank < best->rank)
            best = &l->e[low];
    return best;
}

static void add_plt(void *ctx, const struct sym_stub *stub)
{
    struct list *l = ctx;
    struct sym_image *img = l->img;
    const struct entry *resolver = stub->name ? NULL : find_value(l, stub->resolver);
    const char *name = stub->name ? stub->name : resolver ? resolver->s.name : "ifunc";
    u32 before = l->n;
    add(l, sym_arena_join(&img->arena, name, strlen(name), "@plt"), stub->value, stub->size, SYM_GENERATED | SYM_LOCAL);
    if (l->n == before)
        return;
    if (!(img->n_plt & (img->n_plt - 1))) {     /* the room doubles at each power of two */
        struct sym_plt *p = realloc(img->plt, (img->n_plt ? img->n_plt * 2 : 1) * sizeof *p);
        if (!p)
            return;
        img->plt = p;
    }
    img->plt[img->n_plt++] = (struct sym_plt){stub->value, stub->slot};
}

static int compare_plt(const void *a, const void *b)
{
    const struct sym_plt *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Where execution begins is worth a name, and .eh_frame often tells how far that function goes. */
struct entry_point { addr_t value; u64 size; };

static bool match_entry(void *ctx, addr_t value, u64 size)
{
    struct entry_point *e = ctx;
    if (value == e->value)
        e->size = size;
    return value != e->value;
}

static void add_entry_point(struct list *l)
{
    struct entry_point e = {l->img->eh.e_entry, 0};
    if (!e.value || find_value(l, e.value))
        return;
    sym_each_fde(l->img, match_entry, &e);
    add(l, "unnamedImageEntryPoint", e.value, e.size, SYM_GENERATED);
}

static void publish(struct list *l)
{
    struct sym_image *img = l->img;
    img->symbols = malloc((l->n + 1) * sizeof *img->symbols);
    if (!img->symbols)
        return;
    for (u32 i = 0; i < l->n; i++)
        img->symbols[i] = l->e[i].s;
    img->n_symbols = l->n;
}

void sym_load_symbols(struct sym_image *img)
{
    if (img->has_symbols)
        return;
    img->has_symbols = true;
    sym_load_sections(img);
    if (!img->is_ok)
        return;
    struct list l = {.img = img};
    add_tables(&l);
    sort_by_value(&l);
    if ((img->flags & SYM_NO_SYMBOLS) != SYM_NO_SYMBOLS) {
        sym_each_plt(img, add_plt, &l);
        if (img->n_plt)
            qsort(img->plt, img->n_plt, sizeof *img->plt, compare_plt);
    }
    add_entry_point(&l);
    sort_by_value(&l);
    settle(&l);
    publish(&l);
    free(l.e);
}

/* ---- Questions ---- */

u32 sym_n_symbols(struct sym_image *img)
{
    sym_load_symbols(img);
    return img->n_symbols;
}

const struct sym_symbol *sym_symbol(struct sym_image *img, u32 i)
{
    return i < sym_n_symbols(img) ? &img->symbols[i] : NULL;
}

u32 sym_symbols_at(struct sym_image *img, addr_t address, u32 *n)
{
    u32 low = 0, high = sym_n_symbols(img);
    addr_t value = address - img->bias;
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (img->symbols[mid].value < value)
            low = mid + 1;
        else
            high = mid;
    }
    *n = 0;
    while (low + *n < img->n_symbols && img->symbols[low + *n].value == value)
        ++*n;
    return low;
}

addr_t sym_plt_slot(struct sym_image *img, const struct sym_symbol *plt)
{
    struct sym_plt key = {plt->value, 0};
    const struct sym_plt *p = img->n_plt ? bsearch(&key, img->plt, img->n_plt, sizeof key, compare_plt) : NULL;
    return p ? img->bias + p->slot : 0;
}

/* ---- Names ---- */

static u32 hash_name(const char *s)
{
    u32 h = 5381;
    while (*s)
        h = h * 33 + (u8)*s++;
    return h ^ h >> 15;
}

static bool is_better(const struct sym_symbol *a, const struct sym_symbol *b)
{
    enum { WORSE = OLD_VERSION | SYM_GENERATED | SYM_LOCAL };
    return (a->flags & WORSE) < (b->flags & WORSE);
}

/* One slot per name: of several functions with one name (static ones, old versions) the best stays. */
static void hash_add(struct sym_image *img, u32 i)
{
    u32 at = hash_name(img->symbols[i].name) & (img->hash_size - 1);
    for (; img->hash[at]; at = (at + 1) & (img->hash_size - 1)) {
        const struct sym_symbol *there = &img->symbols[img->hash[at] - 1];
        if (!strcmp(there->name, img->symbols[i].name)) {
            if (is_better(&img->symbols[i], there))
                img->hash[at] = i + 1;
            return;
        }
    }
    img->hash[at] = i + 1;
}

static bool build_hash(struct sym_image *img)
{
    u32 size = 16;
    if (img->hash_size)
        return true;
    while (size < img->n_symbols * 2)
        size *= 2;
    img->hash = calloc(size, sizeof *img->hash);
    if (!img->hash)
        return false;
    img->hash_size = size;
    for (u32 i = 0; i < img->n_symbols; i++)
        hash_add(img, i);
    return true;
}

const struct sym_symbol *sym_symbol_by_name(struct sym_image *img, const char *name)
{
    if (!sym_n_symbols(img) || !build_hash(img))
        return NULL;
    for (u32 at = hash_name(name) & (img->hash_size - 1); img->hash[at]; at = (at + 1) & (img->hash_size - 1))
        if (!strcmp(img->symbols[img->hash[at] - 1].name, name))
            return &img->symbols[img->hash[at] - 1];
    return NULL;
}
