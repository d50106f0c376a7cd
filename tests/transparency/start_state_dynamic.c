/* What a dynamically linked program finds in a constructor of its own: argument vector, auxiliary vector and
 * environment by
 * address, and the link map by name and address, with ASLR off.
 * test-args: x y z
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "t.h"
#include <elf.h>
#include <link.h>

static void __attribute__((constructor)) first(int argc, char **argv, char **env)
{
    for (int i = 0; i <= argc; i++)
        printf("argv %p %s\n", (void *)argv[i], i < argc ? argv[i] : "end");
    int n = 0;
    for (; env[n]; n++)
        printf("env %p %s\n", (void *)env[n], env[n]);
    for (Elf64_auxv_t *a = (Elf64_auxv_t *)(env + n + 1); a->a_type; a++)
        printf("auxv %lu %lx\n", (unsigned long)a->a_type, (unsigned long)a->a_un.a_val);
}

static int each(struct dl_phdr_info *info, size_t size, void *arg)
{
    printf("%s at %lx, %d headers\n", info->dlpi_name, (unsigned long)info->dlpi_addr, info->dlpi_phnum);
    return 0;
}

int main(void)
{
    dl_iterate_phdr(each, NULL);
    return DONE();
}
