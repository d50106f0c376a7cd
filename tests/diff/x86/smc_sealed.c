/* Code on pages that are sealed against every change of their protection is written and run; and a shared page of code that is replaced
 * by another one of its file without a new mapping. */
#include "x86.h"
#include <stdbool.h>
#include <sys/syscall.h>

static void put(u8 *at, int v) { memcpy(at, (u8[]){0xb8, (u8)v, 0, 0, 0, 0xc3}, 6); }
static int run(u8 *at) { return ((int (*)(void))at)(); }

static int sealed(int flags, bool second)
{
    u8 *w = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, flags | MAP_ANONYMOUS, -1, 0), *x = w;
    int bad = 0;
    CHECK(w != MAP_FAILED);
    if (second)
        x = mremap(w, 0, 8192, MREMAP_MAYMOVE);
    for (int i = 0; i < 40; i++) {
        put(w, i);
        bad += run(x) != i;
        if (i == 10)
            syscall(462, w, 4096, 0);               /* mseal; an old kernel does not know it, and nothing changes */
    }
    return bad;
}

int main(void)
{
    printf("replaced");
    u8 *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    put(p, 1), put(p + 4096, 2);
    CHECK(mprotect(p, 8192, PROT_READ | PROT_EXEC) == 0);
    printf(" %d", run(p));
    CHECK(syscall(SYS_remap_file_pages, p, 4096, 0, 1, 0) == 0);
    printf(" %d\n", run(p));
    printf("private %d\n", sealed(MAP_PRIVATE, false));
    printf("shared %d\n", sealed(MAP_SHARED, false));
    printf("two views %d\n", sealed(MAP_SHARED, true));
    return DONE();
}
