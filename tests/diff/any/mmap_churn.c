/* mmap, munmap, mremap, mprotect and madvise in random order, with contents checked. */
#include "t.h"

#define SLOTS 64
static struct { u8 *p; size_t n; u8 v; } slot[SLOTS];

int main(void)
{
    u64 s = 21, sum = 0;
    for (int i = 0; i < 5000; i++) {
        int k = (int)(t_random(&s) % SLOTS);
        size_t n = (1 + t_random(&s) % 16) * 4096;
        if (!slot[k].p) {
            slot[k].p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            CHECK(slot[k].p != MAP_FAILED && slot[k].p[n - 1] == 0);
            slot[k].n = n, slot[k].v = (u8)i;
            memset(slot[k].p, i, n);
            continue;
        }
        CHECK(slot[k].p[0] == slot[k].v && slot[k].p[slot[k].n - 1] == slot[k].v);
        sum += slot[k].v;
        if (i % 3 == 0) {
            u8 *q = mremap(slot[k].p, slot[k].n, n, MREMAP_MAYMOVE);
            CHECK(q != MAP_FAILED);
            memset(q, slot[k].v, n);
            slot[k].p = q, slot[k].n = n;
        } else if (i % 3 == 1) {
            CHECK(mprotect(slot[k].p, slot[k].n, PROT_READ) == 0);
            CHECK(mprotect(slot[k].p, slot[k].n, PROT_READ | PROT_WRITE) == 0);
        } else {
            CHECK(munmap(slot[k].p, slot[k].n) == 0);
            slot[k].p = NULL;
        }
    }
    printf("%llu\n", (unsigned long long)sum);
    return DONE();
}
