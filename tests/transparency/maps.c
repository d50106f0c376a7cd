/* With ASLR off, /proc/self/maps is the native one but for Cotter's private range; so are maps of
 * a thread and smaps names.
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "t.h"

#define PRIVATE_LO 0x550000000000ull
#define PRIVATE_HI 0x555500000000ull
#define TABLES_LO 0x7f000000ull           /* the tables of indirect targets: in the lower 2 GB, so that code can name them */
#define TABLES_HI 0x7fa02000ull

static void show(const char *path)
{
    char line[1024];
    FILE *f = fopen(path, "r");
    CHECK(f);
    while (fgets(line, sizeof line, f)) {
        unsigned long long lo, hi;
        char prot[8];
        if (sscanf(line, "%llx-%llx %7s", &lo, &hi, prot) == 3 && !(lo >= PRIVATE_LO && lo < PRIVATE_HI) &&
            !(lo >= TABLES_LO && hi <= TABLES_HI))
            printf("%s", line);
    }
    fclose(f);
}

int main(void)
{
    show("/proc/self/maps");
    void *p = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect((char *)p + 4096, 4096, PROT_READ | PROT_EXEC);
    show("/proc/thread-self/maps");
    char path[64];
    sprintf(path, "/proc/%d/maps", getpid());
    show(path);
    return DONE();
}
