/* The same memory mapped twice, once writable and once executable: writes through one view change the other's code. */
#include "t.h"

int main(void)
{
    int fd = memfd_create("code", MFD_CLOEXEC);
    CHECK(ftruncate(fd, 4096) == 0);
    u8 *w = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    u8 *x = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
    CHECK(w != MAP_FAILED && x != MAP_FAILED);
    int bad = 0;
    for (int i = 0; i < 500; i++) {
        w[0] = 0xb8, memcpy(w + 1, &i, 4), w[5] = 0xc3;
        bad += ((int (*)(void))x)() != i;
    }
    printf("bad %d\n", bad);
    return DONE();
}
