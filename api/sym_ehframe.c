/* sym_ehframe.c: where functions begin and end according to .eh_frame, which stripped files keep.
 * Records follow each other: a length, then either a CIE (its augmentation says how addresses are written) or an FDE
 * that refers back to its CIE and gives a start and a size. */
#include "api/sym_int.h"

enum {
    PE_ABSPTR = 0, PE_ULEB = 1, PE_UDATA2 = 2, PE_UDATA4 = 3, PE_UDATA8 = 4, PE_SLEB = 9, PE_SDATA2 = 10,
    PE_SDATA4 = 11,
    PE_SDATA8 = 12, PE_FORMAT = 15, PE_PCREL = 0x10, PE_APPLICATION = 0x70, PE_INDIRECT = 0x80, PE_OMIT = 0xff,
};

struct frames {
    struct sym_range data;
    addr_t base;                  /* link-time address of data.p[0] */
};

/* A value in the given encoding, without what it is relative to. */
static u64 read_encoded(struct sym_cursor *c, u8 encoding)
{
    switch (encoding & PE_FORMAT) {
    case PE_ABSPTR: case PE_UDATA8: case PE_SDATA8: return sym_get(c, 8);
    case PE_UDATA2: return sym_get(c, 2);
    case PE_UDATA4: return sym_get(c, 4);
    case PE_SDATA2: return (u64)(s64)(int16_t)sym_get(c, 2);
    case PE_SDATA4: return (u64)(s64)(s32)sym_get(c, 4);
    case PE_ULEB: return sym_uleb(c);
    default: c->bad = true; return 0;
    }
}

/* The body of the record at `offset`: its cursor stands behind the length. */
static struct sym_cursor open_record(const struct frames *f, u64 offset)
{
    struct sym_cursor c = {f->data.p + MIN(offset, f->data.size), f->data.p + f->data.size, false};
    u64 length = sym_get(&c, 4);
    if (length == 0xffffffff)
        length = sym_get(&c, 8);
    if (c.bad || !length || length > (u64)(c.end - c.p))
        c.bad = true;
    else
        c.end = c.p + length;
    return c;
}

/* How a CIE's FDEs write addresses; PE_OMIT if the CIE is not understood. */
static u8 cie_encoding(const struct frames *f, u64 offset)
{
    struct sym_cursor c = open_record(f, offset);
    u8 encoding = PE_ABSPTR;
    if (sym_get(&c, 4) != 0)
        return PE_OMIT;
    u8 version = (u8)sym_get(&c, 1);
    const char *augmentation = (const char *)c.p;
    const u8 *end = c.bad ? NULL : memchr(c.p, 0, (size_t)(c.end - c.p));
    if (!end || (version != 1 && version != 3))
        return PE_OMIT;
    c.p = end + 1;
    sym_uleb(&c);                                 /* code and data alignment, return address register */
    sym_uleb(&c);
    version == 1 ? sym_skip(&c, 1) : (void)sym_uleb(&c);
    if (*augmentation != 'z')
        return *augmentation ? PE_OMIT : encoding;
    sym_uleb(&c);
    for (const char *a = augmentation + 1; *a; a++) {
        if (*a == 'R')
            encoding = (u8)sym_get(&c, 1);
        else if (*a == 'L')
            sym_skip(&c, 1);
        else if (*a == 'P')
            read_encoded(&c, (u8)sym_get(&c, 1));
        else if (*a != 'S' && *a != 'B')
            break;
    }
    return c.bad ? PE_OMIT : encoding;
}

static bool read_fde(const struct frames *f, struct sym_cursor *c, u8 encoding, addr_t *value, u64 *size)
{
    addr_t here = f->base + (addr_t)(c->p - f->data.p);
    if (encoding & PE_INDIRECT || ((encoding & PE_APPLICATION) && (encoding & PE_APPLICATION) != PE_PCREL))
        return false;
    u64 start = read_encoded(c, encoding);
    *size = read_encoded(c, encoding & PE_FORMAT);
    *value = encoding & PE_PCREL ? here + start : start;
    return !c->bad && start && *size;
}

void sym_each_fde(struct sym_image *img, bool (*found)(void *ctx, addr_t value, u64 size), void *ctx)
{
    u32 s = sym_find_section(img, ".eh_frame");
    struct frames f = {sym_section_data(img, s), s == SYM_NONE ? 0 : img->sections[s].address - img->bias};
    u64 known_cie = ~0ull;
    u8 encoding = PE_OMIT;
    for (u64 at = 0; at < f.data.size;) {
        struct sym_cursor c = open_record(&f, at);
        if (c.bad)
            return;
        at = (u64)(c.end - f.data.p);
        u64 id_at = (u64)(c.p - f.data.p), back = sym_get(&c, 4);
        if (!back || back > id_at)                /* a CIE, or broken */
            continue;
        if (id_at - back != known_cie) {
            known_cie = id_at - back;
            encoding = cie_encoding(&f, known_cie);
        }
        addr_t value;
        u64 size;
        if (encoding != PE_OMIT && read_fde(&f, &c, encoding, &value, &size) && !found(ctx, value, size))
            return;
    }
}
