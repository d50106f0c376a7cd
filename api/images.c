/* images.c: which images there are. The engine tells of executable file mappings; an ELF file that is not known at that place
 * yet is a new image.
 *
 * Looking at a file takes time that a tool without interest in images should not pay: mappings are noted, and looked at
 * when the tool has a callback for images or asks its first question about them. */
#include "api/image.h"
#include "engine/engine.h"
#include "api/probe.h"
#include "engine/jit/replace.h"
#include "loader/rt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_IMAGES = 1 << (31 - PART_BITS) };
static struct image *by_id[MAX_IMAGES];
static u32 n_images;
static struct image *first, *last;
static u32 symbol_flags = SYM_NO_SYMBOLS;

static bool shows_resolvers;
bool image_shows_resolvers(void) { return shows_resolvers; }

VOID PIN_InitSymbols(VOID) { symbol_flags = 0; }

/* The kit's tests show that Pin counts .symtab among what EXPORT_SYMBOLS gives. */
BOOL PIN_InitSymbolsAlt(SYMBOL_INFO_MODE mode)
{
    shows_resolvers = mode & IFUNC_SYMBOLS;
    symbol_flags = mode & DEBUG_OR_EXPORT_SYMBOLS
                       ? (mode & EXPORT_SYMBOLS ? 0 : SYM_NO_DYNSYM) | (mode & DEBUG_SYMBOLS ? 0 : SYM_NO_DEBUG) : 0;
    return TRUE;
}

u32 image_symbol_flags(void) { return symbol_flags; }

/* ---- the list ---- */
struct image *image_by_id(u32 id) { return id < n_images && by_id[id] && by_id[id]->sym ? by_id[id] : NULL; }
IMG image_handle(const struct image *m) { return (IMG){ m ? (INT32)m->id + 1 : 0 }; }

struct image *image_of(IMG img)
{
    struct image *m = image_by_id((u32)img.index - 1);
    if (!m)
        api_fatal("an IMG handle names no loaded image (it is invalid, or the image was unloaded)");
    return m;
}

static struct image *find_image(addr_t a)
{
    for (struct image *m = first; m; m = m->next)
        if (a >= m->low && a <= m->high && sym_contains(m->sym, a))
            return m;
    return NULL;
}

struct image *image_first(void) { return first; }

struct image *image_last(void) { return last; }

struct image *image_at(addr_t a)
{
    images_settle();
    return find_image(a);
}

static void link_in(struct image *m)
{
    m->prev = last;
    if (last)
        last->next = m;
    else
        first = m;
    last = m;
}

static void link_out(struct image *m)
{
    *(m->prev ? &m->prev->next : &first) = m->next;
    *(m->next ? &m->next->prev : &last) = m->prev;
}

/* ---- coming ---- */
static void tell_routines(struct image *m)
{
    if (!callbacks[CB_RTN])
        return;
    for (u32 i = 0; i < sym_n_routines(m->sym); i++)
        FOR_EACH_CALLBACK(c, CB_RTN)
            c->rtn(rtn_handle(m, sym_routine(m->sym, i)), c->val);
}

static const struct image *arriving;
const struct image *image_arriving(void) { return arriving; }

static void tell(struct image *m)
{
    if (ifunc_watch)
        ifunc_watch(m);
    FOR_EACH_CALLBACK(c, CB_IMG)
        c->img(image_handle(m), c->val);
    tell_routines(m);
}

struct image *image_new(struct sym_image *sym, const char *path)
{
    if (n_images == MAX_IMAGES) {
        sym_close(sym);
        return NULL;
    }
    struct image *m = calloc(1, sizeof *m);
    *m = (struct image){ .sym = sym, .path = strdup(path), .low = sym_low(sym), .high = sym_high(sym), .id = n_images };
    by_id[n_images++] = m;
    return m;
}

static struct image *enter(struct sym_image *sym, const char *path)
{
    struct image *m = image_new(sym, path);
    if (m)
        link_in(m);
    return m;
}

static void arrive(struct image *m)
{
    arriving = m;
    m->is_told = true;
    if (native_is_on())
        probes_image_loaded(m);
    tell(m);
    arriving = NULL;
}

static void add(struct sym_image *sym, const char *path)
{
    struct image *m = enter(sym, path);
    if (m)
        arrive(m);
}

void images_tell_again(void)
{
    client_lock();
    images_settle();
    for (struct image *m = first; m; m = m->next) {
        probes_image_loaded(m);
        tell(m);
    }
    client_unlock();
}

static void add_file(const char *path, addr_t at, u64 offset, u32 flags)
{
    struct sym_image *sym = sym_open(path, at, offset, flags | symbol_flags);
    if (sym && sym_is_elf(sym) && sym_n_regions(sym))
        add(sym, path);
    else if (sym)
        sym_close(sym);
}

static void add_vdso(addr_t at)
{
    enum { VDSO_SIZE = 8192 };
    struct sym_image *sym = sym_open_memory("[vdso]", (void *)at, VDSO_SIZE, SYM_VDSO | symbol_flags);
    if (sym && sym_is_elf(sym))
        add(sym, "[vdso]");
    else if (sym)
        sym_close(sym);
}

/* ---- mappings not looked at yet ---- */
static bool replays;                            /* the tool says what images there are */
struct noted { struct noted *next; addr_t at; u64 offset; u32 flags; char path[]; };
static struct noted *noted, **noted_end = &noted;

static void look_at(struct noted *n)
{
    if (n->flags & SYM_VDSO)
        add_vdso(n->at);
    else if (!find_image(n->at))
        add_file(n->path, n->at, n->offset, n->flags);
}

void images_settle(void)
{
    while (noted) {
        struct noted *n = noted;
        noted = n->next;
        if (!noted)
            noted_end = &noted;
        look_at(n);
        free(n);
    }
}

static bool is_awaited(void) { return native_is_on() || callbacks[CB_IMG] || callbacks[CB_RTN] || callbacks[CB_IMG_UNLOAD]; }

void image_note(const char *path, addr_t at, u64 offset, u32 flags)
{
    struct noted *n = malloc(sizeof *n + strlen(path) + 1);
    *n = (struct noted){ NULL, at, offset, flags };
    strcpy(n->path, path);
    *noted_end = n;
    noted_end = &n->next;
    if (is_awaited())
        images_settle();
}

static void forget_noted(addr_t lo, addr_t hi)
{
    for (struct noted **p = &noted, *n; (n = *p);) {
        if (n->at < lo || n->at >= hi) {
            p = &n->next;
            continue;
        }
        *p = n->next;
        free(n);
    }
    for (noted_end = &noted; *noted_end; noted_end = &(*noted_end)->next)
        ;
}

static bool path_of(int fd, char *path, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, size - 1);
    if (n <= 0)
        return false;
    path[n] = 0;
    return path[0] == '/';
}

void image_mapped(addr_t lo, size_t size, int fd, u64 offset)
{
    char path[4096];
    if (replays)
        return;
    client_lock();
    if (path_of(fd, path, sizeof path))
        image_note(path, lo, offset, 0);
    client_unlock();
}

/* ---- going ---- */
void image_remove(struct image *m)
{
    FOR_EACH_CALLBACK(c, CB_IMG_UNLOAD)
        c->img(image_handle(m), c->val);
    if (native_is_on())
        probes_image_unloaded(m);
    aot_forget(m->low, m->high + 1);
    replace_remove(m->low, m->high + 1);
    link_out(m);
    if (unwind_forget)
        unwind_forget(m);
    sym_close(m->sym);
    m->sym = NULL;
    free(m->rtn);
    free(m->path);
}

/* An image is gone when its code is. */
static bool loses_code(struct image *m, addr_t lo, addr_t hi)
{
    for (u32 i = 0; i < sym_n_sections(m->sym); i++) {
        const struct sym_section *s = sym_section(m->sym, i);
        if (s->is_executable && s->is_mapped && s->size && s->address >= lo && s->address < hi)
            return true;
    }
    return false;
}

void image_unmapped(addr_t lo, addr_t hi)
{
    if (replays)
        return;
    client_lock();
    forget_noted(lo, hi);
    for (struct image *m = first, *next; m; m = next) {
        next = m->next;
        if (m->low < hi && m->high >= lo && loses_code(m, lo, hi))
            image_remove(m);
    }
    client_unlock();
}

/* They stay known: the end's callbacks name what they have seen, and an exec that fails goes on. */
void images_end(void)
{
    for (struct image *m = first; m; m = m->next)
        FOR_EACH_CALLBACK(c, CB_IMG_UNLOAD)
            c->img(image_handle(m), c->val);
}

/* ---- those that the tool makes ---- */
static bool has_started;

VOID PIN_SetReplayMode(UINT32 flags) { replays = flags & REPLAY_MODE_IMAGEOPS; }

IMG IMG_CreateAt(const char *name, ADDRINT start, USIZE size, ADDRINT offset, BOOL is_main)
{
    client_lock();
    struct image *m = size ? enter(sym_open_region(name, start, size, offset, is_main ? SYM_MAIN : 0), name) : NULL;
    if (m)
        m->is_made = true;
    client_unlock();
    return image_handle(m);
}

static void must_be_made(struct image *m, const char *function)
{
    if (!m->is_made)
        api_fatal("%s: %s was not made by IMG_CreateAt", function, m->path);
}

/* Before the start it waits for its turn. */
VOID IMG_ReplayImageLoad(IMG img)
{
    struct image *m = image_of(img);
    must_be_made(m, "IMG_ReplayImageLoad");
    m->is_due = true;
    if (has_started && !m->is_told)
        arrive(m);
}

VOID IMG_ReplayImageUnload(IMG img)
{
    must_be_made(image_of(img), "IMG_ReplayImageUnload");
    image_remove(image_of(img));
}

static void tell_made(void)
{
    has_started = true;
    for (struct image *m = first; m; m = m->next)
        if (m->is_made && m->is_due && !m->is_told)
            arrive(m);
}

/* ---- the start ---- */
static const char *interpreter_path(const char *program, char *path)
{
    struct sym_image *sym = sym_open(program, SYM_UNMAPPED, 0, SYM_NO_SYMBOLS);
    const char *interp = sym ? sym_interp(sym) : NULL;
    if (!interp || !realpath(interp, path))
        path[0] = 0;
    if (sym)
        sym_close(sym);
    return path;
}

/* Where the program headers are mapped tells where the file is: they begin right behind the file's header. */
void images_start(void)
{
    enum { EHDR_SIZE = 64 };
    const struct handoff *h = engine_handoff;
    char interp[4096];
    client_lock();
    tell_made();
    if (replays) {
        client_unlock();
        return;
    }
    image_note(h->program, h->app_phdr, EHDR_SIZE, SYM_MAIN);
    if (h->app_base && *interpreter_path(h->program, interp))
        image_note(interp, h->app_base, 0, SYM_INTERP);
    if (h->vdso)
        image_note("[vdso]", h->vdso, 0, SYM_VDSO);
    client_unlock();
    if (h->mode == HANDOFF_ATTACH)
        images_again();
}
