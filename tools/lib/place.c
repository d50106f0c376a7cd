/* place.c: see place.h. */
#include "tool.h"

static struct image *images, **images_end = &images;
static struct routine *routines, **routines_end = &routines;
static UINT32 n_images, n_routines;
static struct map image_by_id, routine_by_key, text_by_hash;

struct image *images_first(VOID) { return images; }
struct routine *routines_first(VOID) { return routines; }
UINT32 routines_count(VOID) { return n_routines; }

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static struct image *add_image(IMG img)
{
    struct image *m = need(sizeof *m);
    bool is_known = IMG_Valid(img);
    m->path = strdup(is_known ? IMG_Name(img) : "[anonymous]");
    m->name = base_name(m->path);
    m->number = n_images++;
    if (is_known) {
        m->low = IMG_LowAddress(img);
        m->high = IMG_HighAddress(img);
        m->load_offset = IMG_LoadOffset(img);
        m->is_main = IMG_IsMainExecutable(img);
        m->is_loader = IMG_IsInterpreter(img);
    }
    *images_end = m;
    images_end = &m->next;
    return m;
}

static struct image *image_of(IMG img)
{
    UINT64 *known = map_at(&image_by_id, IMG_Valid(img) ? IMG_Id(img) + 2 : 1);
    if (!*known)
        *known = (UINT64)add_image(img);
    return (struct image *)*known;
}

struct image *place_image(ADDRINT a) { return image_of(IMG_FindByAddress(a)); }

/* A function without a symbol has the name of its section: that of many. Its address in the file tells which. */
static char *name_of(RTN rtn, const struct image *m)
{
    if (!RTN_Valid(rtn))
        return strdup("[no symbol]");
    if (RTN_Name(rtn)[0] == '.')
        return need_text("%s@%lx", RTN_Name(rtn), RTN_Address(rtn) - m->load_offset);
    return strdup(PIN_UndecorateSymbolName(RTN_Name(rtn), UNDECORATION_COMPLETE));
}

static struct routine *add_routine(RTN rtn, struct image *m)
{
    struct routine *r = need(sizeof *r);
    bool is_known = RTN_Valid(rtn);
    r->name = name_of(rtn, m);
    r->address = is_known ? RTN_Address(rtn) : m->low;
    r->size = is_known ? RTN_Size(rtn) : 0;
    r->image = m;
    r->is_stub = is_known && !strncmp(SEC_Name(RTN_Sec(rtn)), ".plt", 4);
    r->number = n_routines++;
    *routines_end = r;
    routines_end = &r->next;
    return r;
}

struct routine *place_routine(ADDRINT a)
{
    IMG img = IMG_FindByAddress(a);
    RTN rtn = IMG_Valid(img) ? RTN_FindByAddress(a) : RTN_Invalid();
    struct image *m = image_of(img);
    UINT64 key[2] = { m->number, RTN_Valid(rtn) ? RTN_Address(rtn) : 0 };
    UINT64 *known = map_at(&routine_by_key, hash_bytes(key, sizeof key, 0));
    if (!*known)
        *known = (UINT64)add_routine(rtn, m);
    return (struct routine *)*known;
}

VOID places_clear_counts(VOID)
{
    for (struct image *m = images; m; m = m->next)
        m->count = 0;
    for (struct routine *r = routines; r; r = r->next)
        r->count = 0;
}

static const char *lasting(const char *text)
{
    UINT64 *known = map_at(&text_by_hash, hash_bytes(text, strlen(text), 0));
    if (!*known)
        *known = (UINT64)strdup(text);
    return (const char *)*known;
}

INT32 place_line(ADDRINT a, const char **file)
{
    const char *name = "";
    INT32 line = 0;
    PIN_GetSourceLocation(a, NULL, &line, &name);
    *file = line ? lasting(name) : "";
    return line;
}

const char *place_text(ADDRINT a)
{
    static __thread char ring[8][512];
    static __thread unsigned turn;
    char *to = ring[turn++ % 8];
    struct routine *r = place_routine(a);
    const char *file;
    INT32 line = place_line(a, &file);
    int n = snprintf(to, sizeof ring[0], "%.300s+0x%lx (%.100s", r->name, a - r->address, r->image->name);
    if (line)
        snprintf(to + n, sizeof ring[0] - (size_t)n, ", %.80s:%d)", base_name(file), line);
    else
        snprintf(to + n, sizeof ring[0] - (size_t)n, ")");
    return to;
}
