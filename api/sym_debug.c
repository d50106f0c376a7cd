/* sym_debug.c: the separate debug file of a stripped image, found as debuggers find it: by build-id, then by the name
 * in .gnu_debuglink beside the image, in .debug/ there, and under /usr/lib/debug. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include "api/sym_int.h"

#define DEBUG_ROOT "/usr/lib/debug"

static bool same_build_id(struct sym_image *a, struct sym_image *b)
{
    u32 m, n;
    const u8 *x = sym_build_id(a, &m), *y = sym_build_id(b, &n);
    return x && y && m == n && !memcmp(x, y, m);
}

static struct sym_image *open_if_elf(const char *path)
{
    struct sym_image *d = sym_open(path, SYM_UNMAPPED, 0, 0);
    if (d && sym_is_elf(d))
        return d;
    sym_close(d);
    return NULL;
}

static struct sym_image *by_build_id(struct sym_image *img)
{
    char path[sizeof DEBUG_ROOT + 160];
    u32 n;
    const u8 *id = sym_build_id(img, &n);
    if (!id || n < 2 || n > 64)
        return NULL;
    int at = sprintf(path, DEBUG_ROOT "/.build-id/%02x/", id[0]);
    for (u32 i = 1; i < n; i++)
        at += sprintf(path + at, "%02x", id[i]);
    strcpy(path + at, ".debug");
    return open_if_elf(path);
}

/* The checksum is of the whole debug file: read only where no build-id can decide. */
static bool is_linked_file(struct sym_image *img, struct sym_image *d, u32 crc)
{
    u32 n;
    if (sym_build_id(img, &n))
        return same_build_id(img, d);
    u64 sum = 0;
    for (size_t at = 0; at < d->size;) {
        u32 part = (u32)MIN(d->size - at, (size_t)1 << 30);
        sum = crc32(sum, d->bytes + at, part);
        at += part;
    }
    return sum == crc;
}

static struct sym_image *try_link(struct sym_image *img, const char *format, int dir_len, const char *name, u32 crc)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, format, dir_len, img->path, name);
    if (n < 0 || n >= (int)sizeof path || !strcmp(path, img->path))
        return NULL;
    struct sym_image *d = open_if_elf(path);
    if (d && is_linked_file(img, d, crc))
        return d;
    sym_close(d);
    return NULL;
}

static struct sym_image *by_link(struct sym_image *img)
{
    static const char *const formats[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_ROOT "%.*s/%s" };
    struct sym_range r = sym_section_data(img, sym_find_section(img, ".gnu_debuglink"));
    size_t len = r.p ? strnlen((const char *)r.p, r.size) : 0;
    u64 crc_at = ROUND_UP(len + 1, 4);
    const char *slash = strrchr(img->path, '/');
    if (!len || crc_at + 4 > r.size || !slash || memchr(r.p, '/', len))
        return NULL;
    u32 crc;
    memcpy(&crc, r.p + crc_at, 4);
    struct sym_image *d = NULL;
    for (size_t i = 0; !d && i < ARRAY_LEN(formats); i++)
        d = try_link(img, formats[i], (int)(slash - img->path), (const char *)r.p, crc);
    return d;
}

struct sym_image *sym_debug_file(struct sym_image *img)
{
    if (img->has_debug)
        return img->debug;
    img->has_debug = true;
    sym_load_sections(img);
    if (!img->is_ok || !img->sh || img->flags & SYM_VDSO)
        return NULL;
    img->debug = by_build_id(img);
    if (!img->debug)
        img->debug = by_link(img);
    if (img->debug)
        img->debug->has_debug = true;             /* a debug file has none itself */
    return img->debug;
}
