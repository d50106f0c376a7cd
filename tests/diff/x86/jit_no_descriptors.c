/* Generated code in a program that has shared memory and can open no file: its mappings are known all the same. */
#include <sys/resource.h>
#include "t.h"

static int call(u8 *page) { return ((int (*)(void))(void *)page)(); }

static void fill(u8 *page, u8 value) { memcpy(page, (u8[]){0xb8, value, 0, 0, 0, 0xc3}, 6); } /* mov eax, value; ret */

int main(void)
{
    struct rlimit none = {0, 0};
    CHECK(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    for (u8 i = 0; i < 3; i++) {
        u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(p != MAP_FAILED);
        fill(p, i);
        CHECK(mprotect(p, 4096, PROT_READ | PROT_EXEC) == 0);
        printf("%d ", call(p));
        CHECK(mprotect(p, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
        fill(p, i + 40);
        printf("%d ", call(p));
        fill(p, i + 50);
        printf("%d\n", call(p));
    }
    u8 *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(s != MAP_FAILED);
    fill(s, 7);
    printf("%d ", call(s));
    fill(s, 8);
    printf("%d\n", call(s));
    return DONE();
}
