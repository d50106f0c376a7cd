/* convert_test FILE: convert the executable sections of a tool in memory, and print the address of each byte that changed. */
#include "arch/native.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__asm__(".globl x86_native_lo, x86_native_hi\nx86_native_lo:\nx86_native_hi:\n");

int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f)
        return 1;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    unsigned char *old = malloc((size_t)size), *new = malloc((size_t)size + 64);
    rewind(f);
    if (fread(old, 1, (size_t)size, f) != (size_t)size)
        return 1;
    memcpy(new, old, (size_t)size);
    Elf64_Ehdr *e = (void *)old;
    Elf64_Shdr *s = (void *)(old + e->e_shoff);
    for (int i = 0; i < e->e_shnum; i++) {
        if (!(s[i].sh_flags & SHF_EXECINSTR))
            continue;
        arch_native_convert((addr_t)new + s[i].sh_offset, (addr_t)new + s[i].sh_offset + s[i].sh_size);
        for (Elf64_Xword k = 0; k < s[i].sh_size; k++)
            if (old[s[i].sh_offset + k] != new[s[i].sh_offset + k])
                printf("%lx\n", (unsigned long)(s[i].sh_addr + k));
    }
    return 0;
}
