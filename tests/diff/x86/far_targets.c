/* A routine at the beginning of each of many pages: their addresses differ in the upper bits only. They are called in any order;
 * then some go, others come in their place, and all are called again. */
#include "t.h"

enum { PAGE = 4096, PAGES = 700, CALLS = 60000 };
typedef u32 routine(u32);
static u8 *base;

/* lea eax, [rdi+add]; ret */
static void put(u32 page, u32 add)
{
    u8 *p = base + page * PAGE;
    memcpy(p, "\x8d\x87", 2);
    memcpy(p + 2, &add, 4);
    p[6] = 0xc3;
}

static u32 call_all(u64 *seed)
{
    u32 sum = 0;
    for (int i = 0; i < CALLS; i++)
        sum = ((routine *)(base + t_random(seed) % PAGES * PAGE))(sum) * 33 + 1;
    return sum;
}

int main(void)
{
    u64 seed = 5;
    base = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(base != MAP_FAILED);
    for (u32 i = 0; i < PAGES; i++)
        put(i, i * 7 + 1);
    printf("%u\n", call_all(&seed));
    for (int round = 0; round < 4; round++) {
        for (u32 i = (u32)round; i < PAGES; i += 5)
            put(i, i * 11 + (u32)round);
        u8 *again = base + (u32)round * 100 * PAGE;
        CHECK(mmap(again, 20 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == again);
        for (u32 i = 0; i < 20; i++)
            put((u32)round * 100 + i, i);
        printf("%u\n", call_all(&seed));
    }
    return DONE();
}
