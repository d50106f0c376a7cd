/* Code that moves: mremap takes a page of code to another address and brings other code to the old one. */
#include "t.h"

int main(void)
{
    u8 *a = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    u8 *b = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    u8 *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(a, "\xb8\x01\0\0\0\xc3", 6), memcpy(b, "\xb8\x02\0\0\0\xc3", 6);
    for (int i = 0; i < 50; i++) {
        printf("%d %d ", ((int (*)(void))a)(), ((int (*)(void))b)());
        CHECK(mremap(a, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, hole) == hole);
        CHECK(mremap(b, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, a) == a);
        CHECK(mremap(hole, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, b) == b);
        CHECK(mmap(hole, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == hole);
    }
    printf("\n");
    return DONE();
}
