/* sec.c: the sections of an image. */
#include "api/image.h"

static const struct sym_section *section_of(SEC sec, struct image **image)
{
    struct image *m = sec.index > 0 ? image_by_id(part_image(sec.index)) : NULL;
    if (!m || part_position(sec.index) >= sym_n_sections(m->sym))
        api_fatal("a SEC handle names no section of a loaded image");
    *image = m;
    return sym_section(m->sym, part_position(sec.index));
}

static const struct sym_section *section(SEC sec)
{
    struct image *m;
    return section_of(sec, &m);
}

static SEC sec_at(struct image *m, u32 position)
{
    return (SEC){ position < sym_n_sections(m->sym) ? part_number(m, position) : 0 };
}

/* No image (an address outside of all) has no sections: tools walk them without asking. */
SEC IMG_SecHead(IMG img) { return img.index ? sec_at(image_of(img), 0) : (SEC){ 0 }; }
SEC IMG_SecTail(IMG img) { return img.index ? sec_at(image_of(img), sym_n_sections(image_of(img)->sym) - 1) : (SEC){ 0 }; }
SEC SEC_Invalid(VOID) { return (SEC){ 0 }; }
BOOL SEC_Valid(SEC sec) { return sec.index > 0; }

SEC SEC_Next(SEC sec)
{
    struct image *m;
    section_of(sec, &m);
    return sec_at(m, part_position(sec.index) + 1);
}

SEC SEC_Prev(SEC sec)
{
    struct image *m;
    section_of(sec, &m);
    return sec_at(m, part_position(sec.index) - 1);      /* before the first: a position that is none */
}

IMG SEC_Img(SEC sec)
{
    struct image *m;
    section_of(sec, &m);
    return image_handle(m);
}

const char *SEC_Name(SEC sec) { return section(sec)->name; }
SEC_TYPE SEC_Type(SEC sec) { return (SEC_TYPE)section(sec)->type; }
ADDRINT SEC_Address(SEC sec) { return section(sec)->address; }
USIZE SEC_Size(SEC sec) { return (USIZE)section(sec)->size; }
const VOID *SEC_Data(SEC sec) { return section(sec)->data; }
BOOL SEC_Mapped(SEC sec) { return section(sec)->is_mapped; }
BOOL SEC_IsReadable(SEC sec) { return section(sec)->is_readable; }
BOOL SEC_IsWriteable(SEC sec) { return section(sec)->is_writeable; }
BOOL SEC_IsExecutable(SEC sec) { return section(sec)->is_executable; }

static RTN sec_routine(SEC sec, bool is_last)
{
    struct image *m;
    u32 n, at;
    section_of(sec, &m);
    at = sym_section_routines(m->sym, part_position(sec.index), &n);
    return rtn_handle(m, n ? sym_routine(m->sym, at + (is_last ? n - 1 : 0)) : NULL);
}

RTN SEC_RtnHead(SEC sec) { return sec_routine(sec, false); }
RTN SEC_RtnTail(SEC sec) { return sec_routine(sec, true); }
