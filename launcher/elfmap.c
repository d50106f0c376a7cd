/* elfmap.c: see elfmap.h. */
#include "launcher/elfmap.h"
#include "launcher/say.h"
#include "base/types.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void must_read(struct elf *e, void *to, size_t size, uint64_t offset)
{
    if (pread(e->fd, to, size, (off_t)offset) != (ssize_t)size)
        fail(STATUS_CANNOT_EXECUTE, "cannot read the program");
}

static void note_header(struct elf *e, const Elf64_Phdr *ph)
{
    if (ph->p_type == PT_INTERP)
        must_read(e, e->interp, MIN(ph->p_filesz, sizeof e->interp - 1), ph->p_offset);
    else if (ph->p_type == PT_GNU_STACK)
        e->has_exec_stack = ph->p_flags & PF_X;
    else if (ph->p_type == PT_LOAD) {
        e->lo = MIN(e->lo, ROUND_DOWN(ph->p_vaddr, PAGE_SIZE));
        e->hi = MAX(e->hi, ROUND_UP(ph->p_vaddr + ph->p_memsz, PAGE_SIZE));
        e->align = MAX(e->align, ph->p_align);
    }
}

void elf_open(struct elf *e, const char *path)
{
    memset(e, 0, sizeof *e);
    e->lo = ~0ull;
    e->align = PAGE_SIZE;
    e->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (e->fd < 0)
        fail(STATUS_CANNOT_EXECUTE, "cannot execute %s: %s", path, strerror(errno));
    must_read(e, &e->header, sizeof e->header, 0);
    if (e->header.e_phnum > ELF_PHDR_MAX)               /* more than any linker makes; by ptrace the kernel maps them all */
        fail(STATUS_CANNOT_EXECUTE, "cannot execute %s: too many program headers", path);
    must_read(e, e->phdr, e->header.e_phnum * sizeof e->phdr[0], e->header.e_phoff);
    for (int i = 0; i < e->header.e_phnum; i++)
        note_header(e, &e->phdr[i]);
}

/* ---- mapping, with the kernel's own checks. Behind the point of no return it kills the process if one fails. ---- */
enum { NOT_OURS = EEXIST };             /* the place is taken: by Cotter */
#define USER_END 0x7ffffffff000ull

NORETURN static void die_of_exec(void)
{
    signal(SIGSEGV, SIG_DFL);
    for (;;)
        kill(getpid(), SIGSEGV);
}

void elf_cannot_map(const char *what)
{
    if (errno != NOT_OURS)
        die_of_exec();
    fail(STATUS_FAILED, "cannot map %s: Cotter is in its place", what);
}

static void must_map(uint64_t at, uint64_t size, int prot, int flags, int fd, uint64_t offset)
{
    if (mmap((void *)at, size, prot, MAP_PRIVATE | flags, fd, (off_t)offset) != (void *)at)
        elf_cannot_map("the program");
}

static bool is_good(const struct elf *e, const Elf64_Phdr *ph)
{
    uint64_t at = e->bias + ph->p_vaddr;
    return ph->p_filesz <= ph->p_memsz && (ph->p_vaddr - ph->p_offset) % PAGE_SIZE == 0 && ph->p_memsz <= USER_END &&
           at < USER_END && ph->p_memsz <= USER_END - at;
}

/* A segment covers what it shares with an earlier one; it must not cover anything else. */
static int fixed(const struct elf *e, const Elf64_Phdr *ph)
{
    for (const Elf64_Phdr *p = e->phdr; p < ph; p++)
        if (p->p_type == PT_LOAD && ROUND_DOWN(ph->p_vaddr, PAGE_SIZE) < ROUND_UP(p->p_vaddr + p->p_memsz, PAGE_SIZE) &&
            ROUND_DOWN(p->p_vaddr, PAGE_SIZE) < ROUND_UP(ph->p_vaddr + ph->p_memsz, PAGE_SIZE))
            return MAP_FIXED;
    return MAP_FIXED_NOREPLACE;
}

/* The kernel zeroes the rest of a page only where it can: in writable segments. */
static void map_segment(struct elf *e, const Elf64_Phdr *ph)
{
    int how = fixed(e, ph);
    int prot = (ph->p_flags & PF_R ? PROT_READ : 0) | (ph->p_flags & PF_W ? PROT_WRITE : 0) |
               (ph->p_flags & PF_X ? PROT_EXEC : 0);
    uint64_t at = e->bias + ph->p_vaddr, file_end = at + ph->p_filesz, end = at + ph->p_memsz;
    uint64_t lo = ROUND_DOWN(at, PAGE_SIZE), mapped = ph->p_filesz ? ROUND_UP(file_end, PAGE_SIZE) : lo;
    if (ph->p_filesz)
        must_map(lo, mapped - lo, prot, how, e->fd, ROUND_DOWN(ph->p_offset, PAGE_SIZE));
    if (ph->p_memsz > ph->p_filesz && (ph->p_flags & PF_W) && file_end < mapped)
        memset((void *)file_end, 0, mapped - file_end);
    if (ROUND_UP(end, PAGE_SIZE) > mapped)
        must_map(mapped, ROUND_UP(end, PAGE_SIZE) - mapped, prot, how | MAP_ANONYMOUS, -1, 0);
}

/* The same sums as the kernel's, for /proc/self/stat and brk. */
static void note_extent(struct elf *e, const Elf64_Phdr *ph)
{
    uint64_t at = e->bias + ph->p_vaddr, file_end = at + ph->p_filesz;
    e->start_data = MAX(e->start_data, at);
    if (ph->p_flags & PF_X) {
        e->start_code = e->start_code ? MIN(e->start_code, at) : at;
        e->end_code = MAX(e->end_code, file_end);
    }
    e->end_data = MAX(e->end_data, file_end);
    e->brk = MAX(e->brk, at + ph->p_memsz);
    if (e->header.e_phoff >= ph->p_offset && e->header.e_phoff < ph->p_offset + ph->p_filesz)
        e->phdr_at = at + e->header.e_phoff - ph->p_offset;
}

void elf_map(struct elf *e, uint64_t bias)
{
    e->bias = bias;
    e->entry = bias + e->header.e_entry;
    for (int i = 0; i < e->header.e_phnum; i++)
        if (e->phdr[i].p_type == PT_LOAD && !is_good(e, &e->phdr[i]))
            die_of_exec();
    for (int i = 0; i < e->header.e_phnum; i++) {
        if (e->phdr[i].p_type != PT_LOAD)
            continue;
        map_segment(e, &e->phdr[i]);
        note_extent(e, &e->phdr[i]);
    }
}
