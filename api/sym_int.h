/* sym_int.h: shared by the sym_*.c files. Each part of an image is filled by its own file, on the first question. */
#ifndef API_SYM_INT_H
#define API_SYM_INT_H
#include <elf.h>
#include <string.h>
#include "api/sym.h"

/* Strings that are not in the file (names cut at their version, NAME@plt). Freed as a whole. */
struct sym_arena { struct sym_chunk *last; };
char *sym_arena_alloc(struct sym_arena *a, size_t size);
char *sym_arena_join(struct sym_arena *a, const char *head, size_t head_len, const char *tail);
void sym_arena_free(struct sym_arena *a);

struct sym_range { const u8 *p; u64 size; };          /* a checked part of the file */
struct sym_strings { const char *p; u64 size; };      /* the last byte is 0, unless size is 0 */
struct sym_plt { addr_t value, slot; };

struct sym_image {
    char *path;
    addr_t map_address;
    u64 map_offset;
    u32 flags;
    struct sym_arena arena;

    /* sym_file.c: needs sym_load() */
    bool is_loaded, is_ok, is_mapped;
    const u8 *bytes;
    size_t size;
    Elf64_Ehdr eh;
    Elf64_Phdr *ph;
    u32 n_ph;
    addr_t bias;
    struct sym_region *regions;
    u32 n_regions;

    /* sym_section.c: needs sym_load_sections() */
    bool has_sections;
    struct sym_section *sections;
    u32 n_sections;
    Elf64_Shdr *sh;               /* sh[i] belongs to sections[i]; NULL when made from segments */
    u32 *code;                    /* executable mapped sections, sorted by address, without overlap */
    u32 n_code;

    /* sym_debug.c */
    bool has_debug;
    struct sym_image *debug;      /* the separate debug file, or NULL */

    /* sym_table.c, sym_plt.c */
    bool has_symbols;
    struct sym_symbol *symbols;
    u32 n_symbols;
    u32 *hash;                    /* names -> position + 1; open addressing */
    u32 hash_size;                /* a power of two, 0 before the first look-up */
    struct sym_plt *plt;          /* sorted by value */
    u32 n_plt;

    /* sym_routine.c */
    bool has_routines;
    struct sym_routine *block;    /* those made from symbols and gaps */
    struct sym_routine **by_id;
    struct sym_routine **order;   /* by address */
    addr_t *starts;               /* starts[i] = order[i]->address: what the search touches */
    u32 n_routines, max_routines;
    u32 n_block;                  /* by_id[n_block ...] were made by the caller, one allocation each */
    bool has_renamed;             /* the caller renamed some of the block */

    /* sym_line.c */
    bool has_lines_index;
    struct sym_lines *lines;
    void (*free_lines)(struct sym_lines *lines);    /* not by name: a tool that asks for no lines does not link libdw */
};

/* The bytes [offset, offset + size) of the file; empty when they are not all there. */
struct sym_range sym_part(struct sym_image *img, u64 offset, u64 size);
bool sym_load(struct sym_image *img);
void *sym_map_path(const char *path, int prot, size_t *size);      /* a private mapping of the whole file, or NULL */
void sym_load_sections(struct sym_image *img);
void sym_load_symbols(struct sym_image *img);
void sym_load_routines(struct sym_image *img);
void sym_free_routines(struct sym_image *img);

struct sym_range sym_section_data(struct sym_image *img, u32 i);
struct sym_strings sym_strings_of(struct sym_range r);
static inline const char *sym_string(struct sym_strings s, u64 i) { return i < s.size ? s.p + i : ""; }
u32 sym_find_section(struct sym_image *img, const char *name);              /* position or SYM_NONE */
u32 sym_find_section_type(struct sym_image *img, u32 sh_type);
u32 sym_code_section(struct sym_image *img, addr_t value);         /* executable section with a link-time address */
struct sym_image *sym_debug_file(struct sym_image *img);

/* Calls `found` for each stub of a procedure linkage table; link-time addresses. */
struct sym_stub {
    const char *name;             /* NULL: an indirect function of this file, known by its resolver */
    addr_t resolver, value;
    u64 size;
    addr_t slot;
};
void sym_each_plt(struct sym_image *img, void (*found)(void *ctx, const struct sym_stub *stub), void *ctx);
/* Start (link-time) and size of each function that .eh_frame describes, until `found` returns false. */
void sym_each_fde(struct sym_image *img, bool (*found)(void *ctx, addr_t value, u64 size), void *ctx);

/* A reader that never leaves its range: past the end it gives zeros and turns bad. */
struct sym_cursor { const u8 *p, *end; bool bad; };

static inline u64 sym_get(struct sym_cursor *c, u32 n)
{
    u64 v = 0;
    if (c->bad || (u64)(c->end - c->p) < n) {
        c->bad = true;
        return 0;
    }
    memcpy(&v, c->p, n);
    c->p += n;
    return v;
}

static inline void sym_skip(struct sym_cursor *c, u64 n)
{
    if (c->bad || (u64)(c->end - c->p) < n)
        c->bad = true;
    else
        c->p += n;
}

static inline u64 sym_uleb(struct sym_cursor *c)
{
    u64 v = 0;
    for (u32 shift = 0;; shift += 7) {
        u8 b = (u8)sym_get(c, 1);
        if (shift < 64)
            v |= (u64)(b & 127) << shift;
        if (c->bad || !(b & 128))
            return v;
    }
}
#endif
