/* sym_file.c: the ELF file as a whole: mapping, headers, segments, bias, notes.
 *
 *  (1) Nothing reads the file but through sym_part(), which checks the range.
 *  (2) Tables of the file are copied before use: a broken file may place them at any alignment.
 * XXX: a file that is cut short while it is mapped raises SIGBUS; programs that are running are normally not cut. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "api/sym_int.h"

/* ---- Open and close ---- */

static struct sym_image *new_image(const char *path, addr_t address, u64 file_offset, u32 flags)
{
    struct sym_image *img = calloc(1, sizeof *img);
    if (!img)
        return NULL;
    img->path = strdup(path ? path : "");
    if (!img->path) {
        free(img);
        return NULL;
    }
    img->map_address = address;
    img->map_offset = file_offset;
    img->flags = flags;
    return img;
}

struct sym_image *sym_open(const char *path, addr_t address, u64 file_offset, u32 flags)
{
    return new_image(path, address, file_offset, flags);
}

struct sym_image *sym_open_memory(const char *name, const void *bytes, size_t size, u32 flags)
{
    struct sym_image *img = new_image(name, (addr_t)bytes, 0, flags);
    if (img) {
        img->bytes = bytes;
        img->size = size;
    }
    return img;
}

struct sym_image *sym_open_region(const char *name, addr_t low, u64 size, addr_t bias, u32 flags)
{
    struct sym_image *img = new_image(name, low, 0, flags);
    if (!img)
        return NULL;
    img->is_loaded = img->is_ok = img->has_sections = img->has_symbols = img->has_debug = true;
    img->bias = bias;
    img->regions = calloc(1, sizeof *img->regions);
    img->sections = calloc(1, sizeof *img->sections);
    img->code = calloc(1, sizeof *img->code);
    img->regions[0] = (struct sym_region){low, low + size - 1, PROT_READ | PROT_EXEC};
    img->sections[0] = (struct sym_section){.name = ".text", .address = low, .size = size, .type = SYM_SEC_EXEC, .is_readable = true,
                                            .is_executable = true, .is_mapped = true};
    img->n_regions = img->n_sections = img->n_code = 1;
    return img;
}

void sym_close(struct sym_image *img)
{
    if (!img)
        return;
    if (img->lines)
        img->free_lines(img->lines);
    sym_free_routines(img);
    sym_close(img->debug);
    if (img->is_mapped)
        munmap((void *)img->bytes, img->size);
    sym_arena_free(&img->arena);
    free(img->plt);
    free(img->hash);
    free(img->symbols);
    free(img->code);
    free(img->sh);
    free(img->sections);
    free(img->regions);
    free(img->ph);
    free(img->path);
    free(img);
}

/* ---- Load ---- */

void *sym_map_path(const char *path, int prot, size_t *size)
{
    /* O_NONBLOCK: a path of the application's may name a pipe. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    struct stat st;
    void *p = MAP_FAILED;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(Elf64_Ehdr))
        p = mmap(NULL, (size_t)st.st_size, prot, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED)
        return NULL;
    *size = (size_t)st.st_size;
    return p;
}

static bool map_file(struct sym_image *img)
{
    img->bytes = sym_map_path(img->path, PROT_READ, &img->size);
    img->is_mapped = img->bytes != NULL;
    return img->is_mapped;
}

struct sym_range sym_part(struct sym_image *img, u64 offset, u64 size)
{
    if (offset > img->size || size > img->size - offset)
        return (struct sym_range){0};
    return (struct sym_range){img->bytes + offset, size};
}

static bool read_headers(struct sym_image *img)
{
    struct sym_range r = sym_part(img, 0, sizeof img->eh);
    if (!r.p)
        return false;
    memcpy(&img->eh, r.p, sizeof img->eh);
    const Elf64_Ehdr *eh = &img->eh;
    if (memcmp(eh->e_ident, ELFMAG, SELFMAG) || eh->e_ident[EI_CLASS] != ELFCLASS64 ||
        eh->e_ident[EI_DATA] != ELFDATA2LSB || eh->e_machine != EM_X86_64)
        return false;
    r = sym_part(img, eh->e_phoff, (u64)eh->e_phnum * sizeof(Elf64_Phdr));
    if (!eh->e_phnum || eh->e_phentsize != sizeof(Elf64_Phdr) || !r.p)
        return true;
    img->ph = malloc(r.size);
    if (!img->ph)
        return true;
    memcpy(img->ph, r.p, r.size);
    img->n_ph = eh->e_phnum;
    return true;
}

static bool is_loadable(const Elf64_Phdr *ph)
{
    return ph->p_type == PT_LOAD && ph->p_memsz && ph->p_vaddr + ph->p_memsz > ph->p_vaddr;
}

static addr_t find_bias(struct sym_image *img)
{
    if (img->map_address == SYM_UNMAPPED)
        return 0;
    for (u32 i = 0; i < img->n_ph; i++) {
        const Elf64_Phdr *ph = &img->ph[i];
        u64 begin = ROUND_DOWN(ph->p_offset, PAGE_SIZE);
        u64 end = ph->p_offset + ph->p_filesz;
        if (is_loadable(ph) && img->map_offset >= begin && img->map_offset < end)
            return img->map_address - (ph->p_vaddr + (img->map_offset - ph->p_offset));
    }
    return 0;
}

static int compare_regions(const void *a, const void *b)
{
    const struct sym_region *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void add_segment(struct sym_image *img, const Elf64_Phdr *ph)
{
    struct sym_region *r = &img->regions[img->n_regions++];
    r->low = img->bias + ROUND_DOWN(ph->p_vaddr, PAGE_SIZE);
    r->high = img->bias + ph->p_vaddr + ph->p_memsz - 1;
    r->prot = (u8)((ph->p_flags & PF_R ? PROT_READ : 0) | (ph->p_flags & PF_W ? PROT_WRITE : 0) |
                   (ph->p_flags & PF_X ? PROT_EXEC : 0));
}

static void find_regions(struct sym_image *img)
{
    img->regions = calloc(img->n_ph + 1, sizeof *img->regions);
    if (!img->regions)
        return;
    for (u32 i = 0; i < img->n_ph; i++)
        if (is_loadable(&img->ph[i]))
            add_segment(img, &img->ph[i]);
    qsort(img->regions, img->n_regions, sizeof *img->regions, compare_regions);
    u32 n = 0;
    for (u32 i = 0; i < img->n_regions; i++) {
        struct sym_region *r = &img->regions[i], *last = &img->regions[n ? n - 1 : 0];
        if (n && r->low <= (last->high | (PAGE_SIZE - 1)) + 1) {
            last->high = MAX(last->high, r->high);
            last->prot |= r->prot;
        } else {
            img->regions[n++] = *r;
        }
    }
    img->n_regions = n;
}

bool sym_load(struct sym_image *img)
{
    if (img->is_loaded)
        return img->is_ok;
    img->is_loaded = true;
    img->is_ok = (img->bytes || map_file(img)) && read_headers(img);
    if (img->is_ok) {
        img->bias = find_bias(img);
        find_regions(img);
    }
    return img->is_ok;
}

/* ---- Questions ---- */

bool sym_is_elf(struct sym_image *img) { return sym_load(img); }
const char *sym_path(const struct sym_image *img) { return img->path; }
u32 sym_flags(const struct sym_image *img) { return img->flags; }
addr_t sym_bias(struct sym_image *img) { return sym_load(img) ? img->bias : 0; }

addr_t sym_entry(struct sym_image *img)
{
    return sym_load(img) && img->eh.e_entry ? img->bias + img->eh.e_entry : 0;
}

static const Elf64_Phdr *find_segment(struct sym_image *img, u32 type)
{
    for (u32 i = 0; sym_load(img) && i < img->n_ph; i++)
        if (img->ph[i].p_type == type)
            return &img->ph[i];
    return NULL;
}

const char *sym_interp(struct sym_image *img)
{
    const Elf64_Phdr *ph = find_segment(img, PT_INTERP);
    struct sym_strings s = {0};
    if (ph)
        s = sym_strings_of(sym_part(img, ph->p_offset, ph->p_filesz));
    return s.size ? s.p : NULL;
}

bool sym_is_static(struct sym_image *img)
{
    bool is_program = img->flags & SYM_MAIN || (sym_load(img) && img->eh.e_type == ET_EXEC);
    return sym_load(img) && is_program && !find_segment(img, PT_INTERP);
}

enum sym_type sym_type(struct sym_image *img)
{
    if (!sym_load(img))
        return SYM_TYPE_INVALID;
    switch (img->eh.e_type) {
    case ET_REL: return SYM_TYPE_RELOCATABLE;
    case ET_EXEC: return find_segment(img, PT_INTERP) ? SYM_TYPE_SHARED : SYM_TYPE_STATIC;
    case ET_DYN: return SYM_TYPE_SHAREDLIB;    /* a PIE counts as a shared library, here as in IMG_TYPE */
    default: return SYM_TYPE_INVALID;
    }
}

u32 sym_n_regions(struct sym_image *img) { return sym_load(img) ? img->n_regions : 0; }

const struct sym_region *sym_region(struct sym_image *img, u32 i)
{
    return i < sym_n_regions(img) ? &img->regions[i] : NULL;
}

bool sym_contains(struct sym_image *img, addr_t a)
{
    for (u32 i = 0; i < sym_n_regions(img); i++)
        if (a >= img->regions[i].low && a <= img->regions[i].high)
            return true;
    return false;
}

/* An image in several pieces is known by the piece with its code. */
static const struct sym_region *main_region(struct sym_image *img)
{
    for (u32 i = 0; i < sym_n_regions(img); i++)
        if (img->regions[i].prot & PROT_EXEC)
            return &img->regions[i];
    return sym_region(img, 0);
}

addr_t sym_low(struct sym_image *img)
{
    const struct sym_region *r = main_region(img);
    return r ? r->low : 1;
}

addr_t sym_high(struct sym_image *img)
{
    const struct sym_region *r = main_region(img);
    return r ? r->high : 0;
}

const void *sym_file(struct sym_image *img, size_t *size)
{
    sym_load(img);
    if (size)
        *size = img->size;
    return img->bytes;
}
