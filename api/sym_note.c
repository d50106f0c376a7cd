/* sym_note.c: what the notes of a file say: its build-id, its CET properties. Also the small memory of sym_*.c. */
#include <stdlib.h>
#include "api/sym_int.h"

/* ---- Notes ---- */

struct note { u32 type; struct sym_range desc; };

/* The next note of owner "GNU", or false. Notes are padded to 4 bytes, in segments aligned to 8 to 8. */
static bool next_note(struct sym_cursor *c, u64 align, struct note *out)
{
    while (!c->bad && c->p < c->end) {
        u32 name_size = (u32)sym_get(c, 4), desc_size = (u32)sym_get(c, 4);
        out->type = (u32)sym_get(c, 4);
        const u8 *name = c->p;
        sym_skip(c, ROUND_UP((u64)name_size, 4));
        out->desc = (struct sym_range){c->p, desc_size};
        sym_skip(c, desc_size);
        if (c->bad)
            return false;
        u64 pad = ROUND_UP((u64)desc_size, align) - desc_size;
        sym_skip(c, MIN(pad, (u64)(c->end - c->p)));
        if (name_size == 4 && !memcmp(name, "GNU", 4))
            return true;
    }
    return false;
}

static bool find_note(struct sym_image *img, u32 type, struct note *out)
{
    for (u32 i = 0; sym_load(img) && i < img->n_ph; i++) {
        const Elf64_Phdr *ph = &img->ph[i];
        if (ph->p_type != PT_NOTE)
            continue;
        struct sym_range r = sym_part(img, ph->p_offset, ph->p_filesz);
        struct sym_cursor c = {r.p, r.p + r.size, !r.p};
        while (next_note(&c, ph->p_align == 8 ? 8 : 4, out))
            if (out->type == type)
                return true;
    }
    return false;
}

/* A debug file keeps its segment table but not its segments: there the section has it. */
static bool find_build_id_section(struct sym_image *img, struct note *out)
{
    u32 s = sym_find_section(img, ".note.gnu.build-id");
    if (s == SYM_NONE)
        return false;
    struct sym_range r = sym_section_data(img, s);
    struct sym_cursor c = {r.p, r.p + r.size, !r.p};
    return next_note(&c, 4, out) && out->type == NT_GNU_BUILD_ID;
}

const u8 *sym_build_id(struct sym_image *img, u32 *size)
{
    struct note n;
    if (!sym_load(img) || (!find_build_id_section(img, &n) && !find_note(img, NT_GNU_BUILD_ID, &n)))
        return NULL;
    *size = (u32)n.desc.size;
    return n.desc.p;
}

static bool has_x86_feature(struct sym_image *img, u32 bit)
{
    struct note n;
    if (!find_note(img, NT_GNU_PROPERTY_TYPE_0, &n))
        return false;
    struct sym_cursor c = {n.desc.p, n.desc.p + n.desc.size, false};
    while (!c.bad && c.p < c.end) {
        u32 type = (u32)sym_get(&c, 4), size = (u32)sym_get(&c, 4);
        if (type == GNU_PROPERTY_X86_FEATURE_1_AND && size == 4)
            return sym_get(&c, 4) & bit;
        sym_skip(&c, ROUND_UP((u64)size, 8));
    }
    return false;
}

bool sym_uses_shstk(struct sym_image *img) { return has_x86_feature(img, GNU_PROPERTY_X86_FEATURE_1_SHSTK); }
bool sym_uses_ibt(struct sym_image *img) { return has_x86_feature(img, GNU_PROPERTY_X86_FEATURE_1_IBT); }

/* ---- Arena ---- */

struct sym_chunk { struct sym_chunk *next; size_t used, size; char data[]; };
enum { CHUNK = 64 * 1024 - 64 };

char *sym_arena_alloc(struct sym_arena *a, size_t size)
{
    struct sym_chunk *k = a->last;
    if (!k || k->size - k->used < size) {
        size_t room = MAX(size, (size_t)CHUNK);
        k = malloc(sizeof *k + room);
        if (!k)
            return NULL;
        *k = (struct sym_chunk){.next = a->last, .size = room};
        a->last = k;
    }
    char *p = k->data + k->used;
    k->used += size;
    return p;
}

char *sym_arena_join(struct sym_arena *a, const char *head, size_t head_len, const char *tail)
{
    size_t tail_len = strlen(tail);
    char *p = sym_arena_alloc(a, head_len + tail_len + 1);
    if (!p)
        return NULL;
    memcpy(p, head, head_len);
    memcpy(p + head_len, tail, tail_len + 1);
    return p;
}

void sym_arena_free(struct sym_arena *a)
{
    while (a->last) {
        struct sym_chunk *k = a->last;
        a->last = k->next;
        free(k);
    }
}
