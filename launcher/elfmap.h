/* elfmap.h: read and map an ELF program in this process, as the kernel would. */
#ifndef LAUNCHER_ELFMAP_H
#define LAUNCHER_ELFMAP_H
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/types.h"

enum { ELF_PHDR_MAX = 64, ELF_INTERP_MAX = 4096 };

struct elf {
    int fd;
    Elf64_Ehdr header;
    Elf64_Phdr phdr[ELF_PHDR_MAX];
    char interp[ELF_INTERP_MAX];        /* empty: none */
    uint64_t lo, hi, align;             /* of its segments, before the bias; whole pages */
    bool has_exec_stack;
    /* Known once it is mapped. */
    uint64_t bias, entry, phdr_at;
    uint64_t start_code, end_code, start_data, end_data, brk;
};

/* exe_examine() has found the file good before. What the kernel finds out too late to refuse it, it kills the process for: so does
 * elf_map. Other failures end with a clear line. */
void elf_open(struct elf *e, const char *path);
void elf_map(struct elf *e, uint64_t bias);
void elf_cannot_map(const char *what) NORETURN;         /* errno says why */
#endif
