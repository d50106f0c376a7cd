/* sym_fuzz.c: asks everything of broken ELF files. Built with the address sanitizer; any crash or hang is a failure.
 *
 *   sym_fuzz SECONDS SEED FILE...     each round damages a copy of one file in memory: headers and tables preferably */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "api/sym.h"

static u64 rng;
static u64 sink;    /* what is read must not be optimised away */

static u64 next_random(void)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return rng;
}
static u64 below(u64 n) { return n ? next_random() % n : 0; }

struct file { u8 *bytes; size_t size; const char *path; };

static struct file read_file(const char *path)
{
    struct file f = {.path = path};
    FILE *in = fopen(path, "rb");
    if (!in)
        exit(2);
    fseek(in, 0, SEEK_END);
    f.size = (size_t)ftell(in);
    rewind(in);
    f.bytes = malloc(f.size);
    if (fread(f.bytes, 1, f.size, in) != f.size)
        exit(2);
    fclose(in);
    return f;
}

/* A place worth damaging: a header, a table, or somewhere in a section that the reader looks into. */
static size_t pick_place(const struct file *f)
{
    Elf64_Ehdr eh;
    memcpy(&eh, f->bytes, sizeof eh);
    u64 kind = below(8);
    if (kind == 0)
        return below(sizeof eh);
    if (kind == 1)
        return eh.e_phoff + below((u64)eh.e_phnum * sizeof(Elf64_Phdr));
    if (kind == 2)
        return below(f->size);
    size_t header = eh.e_shoff + below(eh.e_shnum) * sizeof(Elf64_Shdr);
    if (kind == 3 || header + sizeof(Elf64_Shdr) > f->size)
        return header + below(sizeof(Elf64_Shdr));
    Elf64_Shdr sh;
    memcpy(&sh, f->bytes + header, sizeof sh);
    return sh.sh_type == SHT_NOBITS ? header : sh.sh_offset + below(MIN(sh.sh_size, (u64)(kind < 6 ? 64 : ~0ull)));
}

static u64 pick_value(u64 old, size_t size)
{
    switch (below(8)) {
    case 0: return 0;
    case 1: return ~0ull;
    case 2: return old + 1;
    case 3: return old - 1;
    case 4: return size;
    case 5: return 1ull << below(64);
    case 6: return below(size);
    default: return next_random();
    }
}

static size_t damage(u8 *p, size_t size, const struct file *f)
{
    for (u64 n = 1 + below(6); n > 0; n--) {
        size_t at = pick_place(f), width = 1u << below(4);
        if (at >= size || width > size - at)
            continue;
        u64 v = 0;
        memcpy(&v, p + at, width);
        v = pick_value(v, size);
        memcpy(p + at, &v, width);
    }
    return below(16) ? size : below(size);
}

static void touch_string(const char *s)
{
    while (s && *s)
        sink += (u8)*s++;
}

static void touch_image(struct sym_image *img)
{
    u32 n = 0;
    const u8 *id = sym_build_id(img, &n);
    for (u32 i = 0; id && i < n; i++)
        sink += id[i];
    sink += sym_type(img) + sym_entry(img) + sym_low(img) + sym_high(img) + sym_is_static(img) + sym_uses_ibt(img);
    touch_string(sym_interp(img));
    for (u32 i = 0; i < sym_n_sections(img); i++) {
        const struct sym_section *s = sym_section(img, i);
        touch_string(s->name);
        if (s->data && s->size)
            sink += *(const u8 *)s->data + ((const u8 *)s->data)[s->size - 1];
    }
}

static void touch_symbols(struct sym_image *img)
{
    for (u32 i = 0; i < sym_n_symbols(img); i++) {
        const struct sym_symbol *s = sym_symbol(img, i);
        touch_string(s->name);
        sink += sym_plt_slot(img, s);
        if (i % 16 == 0 && !sym_symbol_by_name(img, s->name))
            abort();
        if (i % 64 == 0)
            free(sym_demangle(s->name, i % 128 == 0));
    }
}

/* The tiling must hold for broken files too. */
static void touch_routines(struct sym_image *img)
{
    u32 total = 0;
    for (u32 s = 0; s < sym_n_sections(img); s++) {
        u32 n, first = sym_section_routines(img, s, &n);
        addr_t at = sym_section(img, s)->address;
        for (u32 i = first; i < first + n; i++) {
            const struct sym_routine *r = sym_routine(img, i);
            if (r->address != at || !r->range || r->size > r->range || sym_routine_at(img, at) != r)
                abort();
            touch_string(r->name);
            at += r->range;
        }
        total += n;
    }
    if (total != sym_n_routines(img))
        abort();
    if (total)
        sym_routine_create(img, sym_routine(img, (u32)below(total))->address + below(3), "made");
}

static void touch_lines(struct sym_image *img)
{
    struct sym_source s;
    for (u32 i = 0; i < 20; i++) {
        const struct sym_routine *r = sym_routine(img, (u32)below(sym_n_routines(img)));
        if (sym_source(img, r ? r->address + below(r->range) : next_random(), &s))
            touch_string(s.file);
    }
}

static void round_of(const struct file *f, int fd)
{
    if (ftruncate(fd, 0) || ftruncate(fd, (off_t)f->size))
        exit(2);
    u8 *p = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    memcpy(p, f->bytes, f->size);
    size_t size = damage(p, f->size, f);
    munmap(p, f->size);
    if (ftruncate(fd, (off_t)size))
        exit(2);
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct sym_image *img = sym_open(path, below(2) ? 0x7f0000000000 : SYM_UNMAPPED, 0, below(2) ? SYM_FDE_RANGES : 0);
    touch_image(img);
    touch_symbols(img);
    touch_routines(img);
    touch_lines(img);
    sym_close(img);
}

int main(int argc, char **argv)
{
    enum { MAX_FILES = 16 };
    static struct file files[MAX_FILES];
    u32 n = 0;
    if (argc < 4)
        return 2;
    for (int i = 3; i < argc && n < MAX_FILES; i++)
        files[n++] = read_file(argv[i]);
    time_t end = time(NULL) + atoi(argv[1]);
    u64 seed = strtoull(argv[2], NULL, 0), rounds = 0;
    u64 only = argc > 3 && getenv("ROUND") ? strtoull(getenv("ROUND"), NULL, 0) : 0;
    int fd = memfd_create("broken", 0), log = open("sym_fuzz.round", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    for (rounds = only; time(NULL) < end; rounds++) {
        rng = (seed + rounds) * 0x9e3779b97f4a7c15ull | 1;
        dprintf(log, "%lu\n", rounds);    /* the last one is at fault */
        lseek(log, 0, SEEK_SET);
        alarm(20);
        round_of(&files[rounds % n], fd);
        if (only)
            break;
    }
    printf("%lu rounds, seed %lu (%lx)\n", rounds, seed, sink & 15);
    return 0;
}
