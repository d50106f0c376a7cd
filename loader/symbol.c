/* symbol.c: see symbol.h. The file is foreign input: nothing in it is trusted. */
#include "loader/symbol.h"
#include "base/sys.h"
#include <linux/elf.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

struct file { const u8 *at; size_t size; };

static const void *part(const struct file *f, u64 offset, u64 size)
{
    return offset <= f->size && size <= f->size - offset ? f->at + offset : NULL;
}

/* Is the string of `size` bytes at the most equal to `name`? */
static bool is_name(const char *text, u64 size, const char *name)
{
    for (u64 i = 0; i < size && text[i] == name[i]; i++)
        if (!name[i])
            return true;
    return false;
}

static bool search_table(const struct file *f, const struct elf64_shdr *tab, const struct elf64_shdr *str, const char *name, u64 *value)
{
    const struct elf64_sym *s = part(f, tab->sh_offset, tab->sh_size);
    const char *text = part(f, str->sh_offset, str->sh_size);
    if (!s || !text)
        return false;
    for (u64 i = 0; i < tab->sh_size / sizeof *s; i++)
        if ((s[i].st_info & 15) == STT_FUNC && s[i].st_value && s[i].st_name < str->sh_size &&
            is_name(text + s[i].st_name, str->sh_size - s[i].st_name, name)) {
            *value = s[i].st_value;
            return true;
        }
    return false;
}

static bool search(const struct file *f, const struct elf64_hdr *e, const char *name, u64 *value)
{
    const struct elf64_shdr *sh = part(f, e->e_shoff, (u64)e->e_shnum * sizeof *sh);
    if (!sh || e->e_shentsize != sizeof *sh)
        return false;
    for (u32 i = 0; i < e->e_shnum; i++)
        if ((sh[i].sh_type == SHT_SYMTAB || sh[i].sh_type == SHT_DYNSYM) && sh[i].sh_link < e->e_shnum &&
            search_table(f, &sh[i], &sh[sh[i].sh_link], name, value))
            return true;
    return false;
}

/* The first program header of this type, of which the file's pages begin at `offset` if it is a segment. */
static const struct elf64_phdr *header(const struct file *f, const struct elf64_hdr *e, u32 type, u64 offset)
{
    const struct elf64_phdr *ph = part(f, e->e_phoff, (u64)e->e_phnum * sizeof *ph);
    for (u32 i = 0; ph && e->e_phentsize == sizeof *ph && i < e->e_phnum; i++)
        if (ph[i].p_type == type && (type != PT_LOAD || ROUND_DOWN(ph[i].p_offset, PAGE_SIZE) == offset))
            return &ph[i];
    return NULL;
}

/* A private view of the file, in the engine's own range or wherever the launcher has room. */
static bool open_view(int fd, struct file *f)
{
    struct statx st;
    if (sys_failed(sys5(__NR_statx, fd, "", AT_EMPTY_PATH, STATX_SIZE, &st)) || st.stx_size < sizeof(struct elf64_hdr))
        return false;
    long at = sys6(__NR_mmap, 0, st.stx_size, K_PROT_READ, K_MAP_PRIVATE, fd, 0);
    *f = (struct file){ (const u8 *)at, st.stx_size };
    return !sys_failed(at);
}

static void close_view(struct file *f) { sys2(__NR_munmap, f->at, f->size); }

bool symbol_find(int fd, const char *name, struct symbol *out)
{
    struct file f;
    if (!open_view(fd, &f))
        return false;
    const struct elf64_hdr *e = (const void *)f.at;
    out->entry = e->e_entry;
    out->is_static = !header(&f, e, PT_INTERP, 0);
    bool is_found = search(&f, e, name, &out->value);
    close_view(&f);
    return is_found;
}

bool symbol_in_segment(int fd, const char *name, u64 offset, u64 *from)
{
    struct file f;
    u64 value;
    if (!open_view(fd, &f))
        return false;
    const struct elf64_hdr *e = (const void *)f.at;
    const struct elf64_phdr *ph = header(&f, e, PT_LOAD, offset);
    bool is_found = ph && search(&f, e, name, &value);
    if (is_found)
        *from = value - ROUND_DOWN(ph->p_vaddr, PAGE_SIZE);
    close_view(&f);
    return is_found;
}
