/* Generated code: map, write, run, unmap, map other code at the same address, run; no call tells of the change.
 * test-schemes: yes */
#include "t.h"

int main(void)
{
    u64 sum = 0;
    u8 *p = NULL;
    for (int i = 0; i < 500; i++) {
        u8 *q = mmap(p, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | (p ? MAP_FIXED : 0), -1,
                     0);
        CHECK(q != MAP_FAILED);
        p = q;
        p[0] = 0xb8, memcpy(p + 1, &i, 4), p[5] = 0xc3;          /* mov eax, i; ret */
        sum = sum * 31 + (u64)((int (*)(void))p)();
        if (i % 3)
            CHECK(munmap(p, 4096) == 0);
    }
    printf("%llx\n", (unsigned long long)sum);
    return DONE();
}
