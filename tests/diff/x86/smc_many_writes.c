/* Code that is rewritten tens of thousands of times: each time costs the same. */
#include "t.h"

enum { PAGES = 16, ROUNDS = 2000 };

int main(void)
{
    u8 *p = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    u64 sum = 0;
    for (u32 i = 0; i < ROUNDS; i++)
        for (u32 k = 0; k < PAGES; k++) {
            u8 *at = p + k * 4096;
            memcpy(at, (u8[]){0xb8, (u8)(i + k), 0, 0, 0, 0xc3}, 6); /* mov eax, i + k; ret */
            sum = sum * 31 + (u64)((int (*)(void))(void *)at)();
        }
    printf("%llu\n", (unsigned long long)sum);
    return DONE();
}
