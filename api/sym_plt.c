/* sym_plt.c: names for the stubs of the procedure linkage table. A stub jumps through a slot of the global offset
 * table; the slot's relocation names the function. Found by the shape of the code, which is the same for all linkers:
 *     [endbr64] [bnd] jmp *slot(%rip)    padded to 8 or 16 bytes */
#include <stdlib.h>
#include "api/sym_int.h"

struct slot { addr_t value; const char *name; addr_t resolver; };
struct slots { struct slot *s; u32 n, max, n_resolvers; };

/* An indirect function of the file itself has a resolver and no name; its user searches for that: not without limit. */
enum { MAX_RESOLVERS = 4096 };

static void add_slot(struct slots *l, addr_t value, const char *name, addr_t resolver)
{
    if (!name && ++l->n_resolvers > MAX_RESOLVERS)
        return;
    if (l->n == l->max) {
        u32 max = l->max ? l->max * 2 : 256;
        struct slot *s = max <= 1u << 28 ? realloc(l->s, max * sizeof *s) : NULL;
        if (!s)
            return;
        l->s = s;
        l->max = max;
    }
    l->s[l->n++] = (struct slot){value, name, resolver};
}

/* The symbol table that the relocations of section i refer to. A static program has none. */
struct table { struct sym_range syms; struct sym_strings names; };

static struct table table_of(struct sym_image *img, u32 i)
{
    u32 t = img->sh[i].sh_link;
    if (!t || t > img->n_sections || !img->sh[t - 1].sh_link)
        return (struct table){0};
    struct sym_range names = sym_section_data(img, img->sh[t - 1].sh_link - 1);
    return (struct table){sym_section_data(img, t - 1), sym_strings_of(names)};
}

static const char *symbol_name(const struct table *t, u32 i)
{
    Elf64_Sym sym;
    if (!i || i >= t->syms.size / sizeof sym)
        return "";
    memcpy(&sym, t->syms.p + i * sizeof sym, sizeof sym);
    return sym_string(t->names, sym.st_name);
}

/* Relocations of section i that fill a slot with the address of a function. */
static void read_relocations(struct sym_image *img, u32 i, struct slots *l)
{
    struct table t = table_of(img, i);
    struct sym_range relocs = sym_section_data(img, i);
    for (u64 k = 0; k < relocs.size / sizeof(Elf64_Rela); k++) {
        Elf64_Rela r;
        memcpy(&r, relocs.p + k * sizeof r, sizeof r);
        u32 type = ELF64_R_TYPE(r.r_info);
        if (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) {
            const char *name = symbol_name(&t, ELF64_R_SYM(r.r_info));
            if (*name)
                add_slot(l, r.r_offset, name, 0);
        } else if (type == R_X86_64_IRELATIVE) {
            add_slot(l, r.r_offset, NULL, (addr_t)r.r_addend);
        }
    }
}

static int compare_slots(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Length of a stub's instructions at p, 0 if it is none; *rel: where its slot is, counted from their end. */
static u32 match_stub(const u8 *p, u64 avail, s32 *rel)
{
    u32 n = 0;
    if (avail >= 4 && !memcmp(p, "\xf3\x0f\x1e\xfa", 4))
        n = 4;
    if (avail > n && p[n] == 0xf2)
        n++;
    if (avail < n + 6 || p[n] != 0xff || p[n + 1] != 0x25)
        return 0;
    memcpy(rel, p + n + 2, 4);
    return n + 6;
}

typedef void found_fn(void *ctx, const struct sym_stub *stub);

static void scan_section(struct sym_image *img, u32 i, const struct slots *l, found_fn *found, void *ctx)
{
    struct sym_range code = sym_section_data(img, i);
    addr_t base = img->sections[i].address - img->bias;
    for (u64 at = 0; at < code.size; at += 8) {
        s32 rel;
        u32 n = match_stub(code.p + at, code.size - at, &rel);
        struct slot key = {base + at + n + (addr_t)(s64)rel, NULL, 0};
        const struct slot *s = n ? bsearch(&key, l->s, l->n, sizeof key, compare_slots) : NULL;
        if (!s)
            continue;
        /* Eight-byte stubs exist in .plt.got only; there is padding after the jump otherwise. */
        u64 size = n > 8 || img->sh[i].sh_entsize != 8 ? 16 : 8;
        found(ctx, &(struct sym_stub){s->name, s->resolver, base + at, MIN(size, code.size - at), key.value});
    }
}

void sym_each_plt(struct sym_image *img, found_fn *found, void *ctx)
{
    struct slots l = {0};
    for (u32 i = 0; i < sym_n_sections(img) && img->sh; i++)
        if (img->sh[i].sh_type == SHT_RELA && img->sh[i].sh_flags & SHF_ALLOC)
            read_relocations(img, i, &l);
    if (l.n) {
        qsort(l.s, l.n, sizeof *l.s, compare_slots);
        for (u32 i = 0; i < img->n_code; i++)
            if (!strncmp(img->sections[img->code[i]].name, ".plt", 4))
                scan_section(img, img->code[i], &l, found, ctx);
    }
    free(l.s);
}
