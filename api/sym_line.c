/* sym_line.c: file, line and column of an address, from the DWARF of the image or of its debug file, through libdw.
 *
 * The index maps address ranges to compilation units. It is read from the units themselves: .debug_aranges is often
 * incomplete or absent. libdw decodes the line table of a unit when an address of it is first asked for. */
#include <stdlib.h>
#include <sys/mman.h>
#include <elfutils/libdw.h>
#include "api/sym_int.h"

struct unit_range { Dwarf_Addr low, high; Dwarf_Off die; };

struct sym_lines {
    void *copy;                   /* libelf unpacks compressed sections in place: a writable mapping of its own */
    size_t size;
    Elf *elf;
    Dwarf *dwarf;
    struct unit_range *ranges;    /* sorted by low */
    u32 n_ranges, max_ranges;
};

static bool has_line_section(struct sym_image *img)
{
    static const char *const names[] = { ".debug_line", ".zdebug_line" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (sym_section_data(img, sym_find_section(img, names[i])).size)
            return true;
    return false;
}

/* The file with the lines: the image, else its debug file, else NULL. */
static struct sym_image *line_file(struct sym_image *img)
{
    if (!sym_load(img))
        return NULL;
    if (has_line_section(img))
        return img;
    struct sym_image *d = sym_debug_file(img);
    return d && has_line_section(d) ? d : NULL;
}

bool sym_has_lines(struct sym_image *img) { return line_file(img) != NULL; }

/* ---- Index of units ---- */

static void add_range(struct sym_lines *l, Dwarf_Addr low, Dwarf_Addr high, Dwarf_Off die)
{
    if (!low || low >= high)      /* 0: a function that the linker dropped */
        return;
    if (l->n_ranges == l->max_ranges) {
        u32 max = l->max_ranges ? l->max_ranges * 2 : 256;
        struct unit_range *r = max <= 1u << 26 ? realloc(l->ranges, max * sizeof *r) : NULL;
        if (!r)
            return;
        l->ranges = r;
        l->max_ranges = max;
    }
    l->ranges[l->n_ranges++] = (struct unit_range){low, high, die};
}

static int compare_ranges(const void *a, const void *b)
{
    const struct unit_range *x = a, *y = b;
    return x->low != y->low ? (x->low < y->low ? -1 : 1) : x->high < y->high ? -1 : x->high > y->high;
}

static void index_units(struct sym_lines *l)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    Dwarf_Addr base, low, high;
    while (dwarf_get_units(l->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0;)
            add_range(l, low, high, dwarf_dieoffset(&die));
    if (l->n_ranges)
        qsort(l->ranges, l->n_ranges, sizeof *l->ranges, compare_ranges);
}

static struct sym_lines *open_lines(struct sym_image *file)
{
    struct sym_lines *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    elf_version(EV_CURRENT);
    l->copy = sym_map_path(file->path, PROT_READ | PROT_WRITE, &l->size);
    l->elf = l->copy ? elf_memory(l->copy, l->size) : NULL;
    l->dwarf = l->elf ? dwarf_begin_elf(l->elf, DWARF_C_READ, NULL) : NULL;
    if (l->dwarf)
        index_units(l);
    return l;
}

static void free_lines(struct sym_lines *l)
{
    dwarf_end(l->dwarf);
    elf_end(l->elf);
    if (l->copy)
        munmap(l->copy, l->size);
    free(l->ranges);
    free(l);
}

/* ---- Look-up ---- */

/* Ranges of different units do not overlap unless inlined assembly or a linker is at fault: a few steps back
 * suffice. */
static const struct unit_range *find_unit(const struct sym_lines *l, Dwarf_Addr a)
{
    enum { STEPS = 8 };
    u32 low = 0, high = l->n_ranges;
    while (low < high) {
        u32 mid = (low + high) / 2;
        if (l->ranges[mid].low <= a)
            low = mid + 1;
        else
            high = mid;
    }
    for (u32 i = 0; i < STEPS && low-- > 0; i++)
        if (a < l->ranges[low].high)
            return &l->ranges[low];
    return NULL;
}

static bool read_line(Dwarf_Line *line, struct sym_source *out)
{
    int number = 0, column = 0;
    if (!line || dwarf_lineno(line, &number) || number <= 0)
        return false;
    dwarf_linecol(line, &column);
    out->file = dwarf_linesrc(line, NULL, NULL);
    out->line = (u32)number;
    out->column = column > 0 ? (u32)column : 0;
    return out->file != NULL;
}

bool sym_source(struct sym_image *img, addr_t address, struct sym_source *out)
{
    if (!img->has_lines_index) {
        struct sym_image *file = line_file(img);
        img->has_lines_index = true;
        img->lines = file ? open_lines(file) : NULL;
        img->free_lines = free_lines;
    }
    if (!img->lines || !img->lines->dwarf)
        return false;
    Dwarf_Addr a = address - img->bias;
    const struct unit_range *r = find_unit(img->lines, a);
    Dwarf_Die die;
    return r && dwarf_offdie(img->lines->dwarf, r->die, &die) && read_line(dwarf_getsrc_die(&die, a), out);
}
