/* memory of mmap, handed out by the program itself, next to blocks of malloc that it points to */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static char *area;
static size_t used;
static void *mine(size_t n) { return area + (used += n) - n; }

int main(void)
{
    area = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char ***table = mine(100 * sizeof *table);
    *table = mine(10 * sizeof **table);
    for (int i = 0; i < 10; i++)
        (*table)[i] = strdup("reachable through mmap");
    area = mremap(area, 1 << 16, 1 << 18, 0) == area ? area : area;
    puts((*table)[9]);
}
