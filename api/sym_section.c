/* sym_section.c: the sections of an image, and which of them hold code. */
#include <stdio.h>
#include <stdlib.h>
#include "api/sym_int.h"

struct sym_strings sym_strings_of(struct sym_range r)
{
    while (r.size && r.p[r.size - 1])     /* broken files: what follows the last 0 is no string */
        r.size--;
    return (struct sym_strings){(const char *)r.p, r.size};
}

/* ---- Types ---- */

static const struct { u32 sh_type; u8 type; } by_sh_type[] = {
    { SHT_NULL, SYM_SEC_UNUSED },       { SHT_SYMTAB, SYM_SEC_REGSYM },       { SHT_DYNSYM, SYM_SEC_DYNSYM },
    { SHT_HASH, SYM_SEC_HASH },         { SHT_GNU_HASH, SYM_SEC_HASH },       { SHT_DYNAMIC, SYM_SEC_DYNAMIC },
    { SHT_NOBITS, SYM_SEC_BSS },        { SHT_X86_64_UNWIND, SYM_SEC_UNWIND }, { SHT_NOTE, SYM_SEC_COMMENT },
    { SHT_INIT_ARRAY, SYM_SEC_DATA },   { SHT_FINI_ARRAY, SYM_SEC_DATA },     { SHT_PREINIT_ARRAY, SYM_SEC_DATA },
};

static const struct { const char *name; u8 type; } by_name[] = {
    { ".got", SYM_SEC_GOT },            { ".got.plt", SYM_SEC_GOT },          { ".eh_frame", SYM_SEC_UNWIND },
    { ".eh_frame_hdr", SYM_SEC_UNWINDINFO }, { ".gcc_except_table", SYM_SEC_LSDA }, { ".comment", SYM_SEC_COMMENT },
    { ".dynstr", SYM_SEC_DYNSTR },      { ".shstrtab", SYM_SEC_SECSTR },      { ".strtab", SYM_SEC_SYMSTR },
};

static u8 section_type(const Elf64_Shdr *sh, const char *name)
{
    if (sh->sh_type == SHT_RELA || sh->sh_type == SHT_REL)
        return sh->sh_flags & SHF_ALLOC ? SYM_SEC_DYNREL : SYM_SEC_REGREL;
    for (size_t i = 0; i < ARRAY_LEN(by_sh_type); i++)
        if (by_sh_type[i].sh_type == sh->sh_type)
            return by_sh_type[i].type;
    for (size_t i = 0; i < ARRAY_LEN(by_name); i++)
        if (!strcmp(by_name[i].name, name))
            return by_name[i].type;
    if (!strncmp(name, ".debug", 6) || !strncmp(name, ".zdebug", 7))
        return SYM_SEC_DEBUG;
    if (sh->sh_type >= SHT_LOPROC)
        return sh->sh_type >= SHT_LOUSER ? SYM_SEC_USER : SYM_SEC_PROC;
    if (sh->sh_type >= SHT_LOOS)
        return SYM_SEC_LOOS;
    if (sh->sh_flags & SHF_EXECINSTR)
        return SYM_SEC_EXEC;
    return sh->sh_type == SHT_STRTAB ? SYM_SEC_SYMSTR : SYM_SEC_DATA;
}

/* ---- From section headers ---- */

static void fill_section(struct sym_image *img, u32 i, struct sym_strings names)
{
    const Elf64_Shdr *sh = &img->sh[i];
    bool is_mapped = sh->sh_flags & SHF_ALLOC && sh->sh_addr + sh->sh_size >= sh->sh_addr;
    struct sym_section *s = &img->sections[i];
    s->name = sym_string(names, sh->sh_name);
    s->size = sh->sh_size;
    s->index = i + 1;
    s->type = section_type(sh, s->name);
    s->is_mapped = s->is_readable = is_mapped;
    s->is_writeable = is_mapped && sh->sh_flags & SHF_WRITE;
    s->is_executable = is_mapped && sh->sh_flags & SHF_EXECINSTR;
    s->address = is_mapped ? img->bias + sh->sh_addr : 0;
    if (sh->sh_type != SHT_NOBITS)
        s->data = sym_part(img, sh->sh_offset, sh->sh_size).p;
}

/* Beyond 65279 sections the counts are in the unused first header. */
static bool read_section_headers(struct sym_image *img)
{
    const Elf64_Ehdr *eh = &img->eh;
    struct sym_range first = sym_part(img, eh->e_shoff, sizeof(Elf64_Shdr));
    if (!eh->e_shoff || eh->e_shentsize != sizeof(Elf64_Shdr) || !first.p)
        return false;
    Elf64_Shdr zero;
    memcpy(&zero, first.p, sizeof zero);
    u64 n = eh->e_shnum ? eh->e_shnum : zero.sh_size;
    u32 names_index = eh->e_shstrndx == SHN_XINDEX ? zero.sh_link : eh->e_shstrndx;
    if (n < 2 || n > img->size / sizeof(Elf64_Shdr))
        return false;
    struct sym_range all = sym_part(img, eh->e_shoff, n * sizeof(Elf64_Shdr));
    img->sh = all.p ? malloc(all.size) : NULL;
    img->sections = calloc(n, sizeof *img->sections);
    if (!img->sh || !img->sections)
        return false;
    memcpy(img->sh, all.p + sizeof zero, all.size - sizeof zero);
    img->n_sections = (u32)n - 1;
    struct sym_range names = {0};
    if (names_index && names_index < n)
        names = sym_part(img, img->sh[names_index - 1].sh_offset, img->sh[names_index - 1].sh_size);
    for (u32 i = 0; i < img->n_sections; i++)
        fill_section(img, i, sym_strings_of(names));
    return true;
}

/* ---- From segments, when there are no section headers ---- */

static void sections_from_segments(struct sym_image *img)
{
    free(img->sh);
    img->sh = NULL;
    free(img->sections);
    img->n_sections = 0;
    img->sections = calloc(img->n_ph + 1, sizeof *img->sections);
    for (u32 i = 0; img->sections && i < img->n_ph; i++) {
        const Elf64_Phdr *ph = &img->ph[i];
        char *name = sym_arena_alloc(&img->arena, 24);
        if (ph->p_type != PT_LOAD || !name || ph->p_vaddr + ph->p_memsz < ph->p_vaddr)
            continue;
        snprintf(name, 24, "LOAD%u", img->n_sections);
        struct sym_section *s = &img->sections[img->n_sections++];
        *s = (struct sym_section){.name = name, .address = img->bias + ph->p_vaddr, .size = ph->p_memsz,
                                  .is_mapped = true,
                                  .is_readable = ph->p_flags & PF_R, .is_writeable = ph->p_flags & PF_W,
                                  .is_executable = ph->p_flags & PF_X};
        s->type = s->is_executable ? SYM_SEC_EXEC : SYM_SEC_DATA;
        if (ph->p_filesz == ph->p_memsz)
            s->data = sym_part(img, ph->p_offset, ph->p_filesz).p;
    }
}

/* ---- Code ---- */

static int compare_code(const void *a, const void *b, void *sections)
{
    const struct sym_section *s = sections;
    addr_t x = s[*(const u32 *)a].address, y = s[*(const u32 *)b].address;
    return x < y ? -1 : x > y;
}

/* Executable sections without overlap: of two that claim a byte (a broken file) the first keeps it. */
static void find_code(struct sym_image *img)
{
    img->code = calloc(img->n_sections + 1, sizeof *img->code);
    if (!img->code)
        return;
    for (u32 i = 0; i < img->n_sections; i++)
        if (img->sections[i].is_executable && img->sections[i].size)
            img->code[img->n_code++] = i;
    qsort_r(img->code, img->n_code, sizeof *img->code, compare_code, img->sections);
    u32 n = 0;
    addr_t end = 0;
    for (u32 i = 0; i < img->n_code; i++) {
        const struct sym_section *s = &img->sections[img->code[i]];
        if (n && s->address < end)
            continue;
        end = s->address + s->size;
        if (end < s->address)
            continue;
        img->code[n++] = img->code[i];
    }
    img->n_code = n;
}

u32 sym_code_section(struct sym_image *img, addr_t value)
{
    addr_t a = img->bias + value;
    u32 low = 0, high = img->n_code;
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (img->sections[img->code[mid]].address <= a)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low)
        return SYM_NONE;
    const struct sym_section *s = &img->sections[img->code[low - 1]];
    return a - s->address < s->size ? img->code[low - 1] : SYM_NONE;
}

void sym_load_sections(struct sym_image *img)
{
    if (img->has_sections)
        return;
    img->has_sections = true;
    if (!sym_load(img))
        return;
    if (!read_section_headers(img))
        sections_from_segments(img);
    find_code(img);
}

/* ---- Questions ---- */

u32 sym_n_sections(struct sym_image *img)
{
    sym_load_sections(img);
    return img->n_sections;
}

const struct sym_section *sym_section(struct sym_image *img, u32 i)
{
    return i < sym_n_sections(img) ? &img->sections[i] : NULL;
}

u32 sym_find_section(struct sym_image *img, const char *name)
{
    for (u32 i = 0; i < sym_n_sections(img); i++)
        if (!strcmp(img->sections[i].name, name))
            return i;
    return SYM_NONE;
}

const struct sym_section *sym_section_by_name(struct sym_image *img, const char *name)
{
    return sym_section(img, sym_find_section(img, name));
}

u32 sym_find_section_type(struct sym_image *img, u32 sh_type)
{
    for (u32 i = 0; i < sym_n_sections(img) && img->sh; i++)
        if (img->sh[i].sh_type == sh_type)
            return i;
    return SYM_NONE;
}

struct sym_range sym_section_data(struct sym_image *img, u32 i)
{
    const struct sym_section *s = sym_section(img, i);
    return s && s->data ? (struct sym_range){s->data, s->size} : (struct sym_range){0};
}
