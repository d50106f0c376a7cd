/* One memory that is executed at two addresses: a write at either, or through a third view, changes both; and a view that was
 * mapped from a descriptor for reading, and is made executable later. */
#include "x86.h"
#include <fcntl.h>

static void put(u8 *at, int v) { memcpy(at, (u8[]){0xb8, (u8)v, 0, 0, 0, 0xc3}, 6); }
static int run(u8 *at) { return ((int (*)(void))at)(); }

static int mapped_for_reading(int fd, u8 *writable)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    u8 *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, open(path, O_RDONLY), 0);
    CHECK(p != MAP_FAILED && mprotect(p, 4096, PROT_READ | PROT_EXEC) == 0);
    int bad = 0;
    for (int i = 0; i < 50; i++) {
        put(writable, i);
        bad += run(p) != i;
    }
    return bad;
}

int main(void)
{
    int fd = memfd_create("code", MFD_CLOEXEC);
    CHECK(ftruncate(fd, 8192) == 0);
    u8 *view[4];
    for (int i = 0; i < 4; i++) {
        view[i] = mmap(NULL, 8192, PROT_READ | (i < 3 ? PROT_WRITE : 0) | (i == 2 ? 0 : PROT_EXEC), MAP_SHARED, fd, 0);
        CHECK(view[i] != MAP_FAILED);
    }
    int bad = 0, v = 0;
    for (int round = 0; round < 20; round++)
        for (int writer = 0; writer < 3; writer++)
            for (int at = 0; at < 8192; at += 4096 + 64) {
                put(view[writer] + at, ++v & 127);
                for (int i = 0; i < 4; i++)
                    bad += i != 2 && run(view[(i + round) % 4 == 2 ? 3 : (i + round) % 4] + at) != (v & 127);
            }
    printf("bad %d %d\n", bad, mapped_for_reading(fd, view[2]));
    return DONE();
}
