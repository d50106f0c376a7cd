/* symbol.c: find a function of the program by name, for --dump-trace=FUNCTION. */
#include "launcher/symbol.h"
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file { const unsigned char *at; size_t size; };

static const void *part(const struct file *f, uint64_t offset, uint64_t size)
{
    return offset <= f->size && size <= f->size - offset ? f->at + offset : NULL;
}

static bool search_table(const struct file *f, const Elf64_Shdr *tab, const Elf64_Shdr *str, const char *name, uint64_t *value)
{
    const Elf64_Sym *s = part(f, tab->sh_offset, tab->sh_size);
    const char *text = part(f, str->sh_offset, str->sh_size);
    size_t len = strlen(name);
    if (!s || !text)
        return false;
    for (uint64_t i = 0; i < tab->sh_size / sizeof *s; i++)
        if (ELF64_ST_TYPE(s[i].st_info) == STT_FUNC && s[i].st_value && s[i].st_name < str->sh_size &&
            len < str->sh_size - s[i].st_name && !memcmp(text + s[i].st_name, name, len + 1)) {
            *value = s[i].st_value;
            return true;
        }
    return false;
}

static bool search(const struct file *f, const char *name, uint64_t *value, uint64_t *entry)
{
    const Elf64_Ehdr *e = part(f, 0, sizeof *e);
    const Elf64_Shdr *sh = e ? part(f, e->e_shoff, (uint64_t)e->e_shnum * sizeof *sh) : NULL;
    if (!sh || e->e_shentsize != sizeof *sh)
        return false;
    *entry = e->e_entry;
    for (unsigned i = 0; i < e->e_shnum; i++)
        if ((sh[i].sh_type == SHT_SYMTAB || sh[i].sh_type == SHT_DYNSYM) && sh[i].sh_link < e->e_shnum &&
            search_table(f, &sh[i], &sh[sh[i].sh_link], name, value))
            return true;
    return false;
}

bool symbol_find(const char *path, const char *name, uint64_t *value, uint64_t *entry)
{
    struct stat st;
    bool found = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p != MAP_FAILED) {
            struct file f = { p, (size_t)st.st_size };
            found = search(&f, name, value, entry);
            munmap(p, f.size);
        }
    }
    if (fd >= 0)
        close(fd);
    return found;
}
