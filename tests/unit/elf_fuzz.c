/* elf_fuzz.c: damaged programs, scripts and tools before everything that reads them in the launcher. What exe_examine
 * finds good is read on, as the launcher does. elf_fuzz SECONDS SEED SCRATCH FILE... */
#include "launch_fuzz.h"
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "launcher/elfmap.h"
#include "launcher/script.h"
#include "loader/symbol.h"
#include "launcher/tool.h"
#include "loader/exe.h"

enum { MAX_FILES = 8 };
struct seed { unsigned char *bytes; size_t size; };
static struct { struct seed seed[MAX_FILES]; int n; const char *scratch; } all;

static void read_seed(struct seed *s, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && !fstat(fd, &st));
    s->size = (size_t)st.st_size;
    s->bytes = malloc(s->size);
    CHECK(read(fd, s->bytes, s->size) == st.st_size);
    close(fd);
}

/* Where the interesting bytes are: the header, the program headers, the section headers. */
static size_t interesting(const struct seed *s)
{
    const Elf64_Ehdr *e = (const void *)s->bytes;
    size_t at = below((unsigned)s->size);
    bool is_elf = s->size > sizeof *e && !memcmp(s->bytes, ELFMAG, SELFMAG);
    switch (is_elf ? below(4) : 3) {
    case 0: at = below(sizeof *e); break;
    case 1: at = sizeof *e + below(12 * sizeof(Elf64_Phdr)); break;
    case 2: at = s->size - 1 - below(30 * sizeof(Elf64_Shdr)); break;
    }
    return at < s->size ? at : s->size - 1;
}

static void damage(struct seed *s)
{
    static const uint64_t odd[] = { 0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 1ull << 47, ~0ull,
                                    ~0ull - 4096, 4096 };
    size_t at = interesting(s), n = 1u << below(4);
    uint64_t v = below(2) ? odd[below(sizeof odd / sizeof odd[0])] : (uint64_t)rand();
    if (n > 1)
        at &= ~(n - 1);
    memcpy(s->bytes + at, &v, at + n <= s->size ? n : s->size - at);
}

static void write_scratch(const struct seed *from)
{
    struct seed s = { malloc(from->size), from->size };
    memcpy(s.bytes, from->bytes, s.size);
    for (unsigned i = below(4); i; i--)
        damage(&s);
    if (!below(20))
        s.size = below((unsigned)s.size);
    int fd = open(all.scratch, O_WRONLY | O_TRUNC | O_CREAT, 0755);
    CHECK(fd >= 0 && write(fd, s.bytes, s.size) == (ssize_t)s.size);
    close(fd);
    free(s.bytes);
}

/* Every byte that would be mapped is there. */
static void check_segments(const Elf64_Phdr *ph, int n, int fd)
{
    struct stat st;
    CHECK(!fstat(fd, &st));
    for (int i = 0; i < n; i++)
        if (ph[i].p_type == PT_LOAD && ph[i].p_filesz)
            CHECK(ph[i].p_filesz <= (uint64_t)st.st_size && ph[i].p_offset <= (uint64_t)st.st_size - ph[i].p_filesz);
}

static void try_program(void)
{
    static struct exe exe;
    static struct elf elf;
    static char *argv[] = { "program", "x", NULL };
    const char *path = all.scratch;
    char **args = argv;
    if (exe_examine(path, &exe) != EXE_OK) {
        CHECK(exe.verdict < EXE_VERDICT_COUNT && *exe_why(exe.verdict) && exe_status(exe.verdict) >= 126);
        n_failed++;
        return;
    }
    if (setjmp(failed))
        return;
    script_resolve(&path, &args);
    elf_open(&elf, path);
    CHECK(memchr(elf.interp, 0, sizeof elf.interp));
    check_segments(elf.phdr, elf.header.e_phnum, elf.fd);
    n_passed++;
}

static void try_tool(void)
{
    static struct tool tool;
    if (setjmp(failed))
        return;
    tool_open_path(&tool, all.scratch);
    CHECK(tool.header.e_phnum <= TOOL_PHDR_MAX);
    check_segments(tool.phdr, tool.header.e_phnum, tool.fd);
    n_passed++;
}

static void once(void *unused)
{
    struct symbol symbol;
    uint64_t from;
    write_scratch(&all.seed[below((unsigned)all.n)]);
    try_program();
    try_tool();
    int fd = open(all.scratch, O_RDONLY);
    symbol_find(fd, "main", &symbol);
    symbol_in_segment(fd, "main", 0x1000, &from);
    close_range(3, ~0u, 0);
}

int main(int argc, char **argv)
{
    all.scratch = argv[3];
    for (int i = 4; i < argc && all.n < MAX_FILES; i++)
        read_seed(&all.seed[all.n++], argv[i]);
    return fuzz_for(atof(argv[1]), (unsigned)atoi(argv[2]), once, NULL);
}
