/* toolsym.c: see toolsym.h. The file is the tool's own, mapped read-only; a stripped or a broken one has no names. */
#include "engine/toolsym.h"
#include "base/sys.h"
#include "loader/handoff.h"
#include <linux/elf.h>

static struct {
    bool is_open;
    const u8 *base;
    size_t size;
    const Elf64_Sym *sym;
    u64 n;
    const char *names;
    u64 names_size;
} file;

static bool is_inside(u64 offset, u64 size) { return offset <= file.size && size <= file.size - offset; }

static size_t size_of_file(int fd)
{
    enum { SEEK_TO_END = 2 };
    long n = sys3(__NR_lseek, fd, 0, SEEK_TO_END);
    return sys_failed(n) ? 0 : (size_t)n;
}

static bool map_file(const char *path)
{
    long fd = sys3(__NR_open, path, 0, 0);
    if (sys_failed(fd))
        return false;
    file.size = size_of_file((int)fd);
    addr_t place = PRIV_HI - ROUND_UP(file.size, PAGE_SIZE);        /* the application may live on without the tool: attach */
    long at = sys6(__NR_mmap, place, file.size, K_PROT_READ, K_MAP_PRIVATE | K_MAP_FIXED_NOREPLACE, fd, 0);
    sys1(__NR_close, fd);
    if (sys_failed(at) || file.size < sizeof(Elf64_Ehdr))
        return false;
    file.base = (const u8 *)at;
    return true;
}

static void find_table(void)
{
    const Elf64_Ehdr *e = (const void *)file.base;
    if (!is_inside(e->e_shoff, (u64)e->e_shnum * sizeof(Elf64_Shdr)))
        return;
    const Elf64_Shdr *s = (const void *)(file.base + e->e_shoff);
    for (u32 i = 0; i < e->e_shnum; i++) {
        if (s[i].sh_type != SHT_SYMTAB || s[i].sh_link >= e->e_shnum || !is_inside(s[i].sh_offset, s[i].sh_size))
            continue;
        const Elf64_Shdr *names = &s[s[i].sh_link];
        if (!is_inside(names->sh_offset, names->sh_size) || !names->sh_size || file.base[names->sh_offset + names->sh_size - 1])
            continue;
        file.sym = (const void *)(file.base + s[i].sh_offset);
        file.n = s[i].sh_size / sizeof *file.sym;
        file.names = (const char *)file.base + names->sh_offset;
        file.names_size = names->sh_size;
    }
}

bool toolsym_find(const char *path, addr_t offset, struct toolsym *out)
{
    if (!file.is_open && map_file(path))
        find_table();
    file.is_open = true;
    for (u64 i = 0; i < file.n; i++) {
        const Elf64_Sym *s = &file.sym[i];
        if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || offset < s->st_value || offset >= s->st_value + MAX(s->st_size, 1ul) ||
            s->st_name >= file.names_size)
            continue;
        *out = (struct toolsym){ file.names + s->st_name, s->st_value, s->st_value + s->st_size };
        return true;
    }
    return false;
}
