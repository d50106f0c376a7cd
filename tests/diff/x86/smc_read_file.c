/* Code that arrives by system calls: read() into an executable page, mmap of a file over it, write through
 * /proc/self/mem. */
#include "t.h"

int main(void)
{
    int fd = open("code", O_RDWR | O_CREAT, 0644);
    for (int i = 0; i < 10; i++) {
        u8 code[4096] = {0xb8, (u8)i, 0, 0, 0, 0xc3};
        CHECK(pwrite(fd, code, 4096, i * 4096) == 4096);
    }
    u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 10; i++) {
        CHECK(pread(fd, p, 6, i * 4096) == 6);
        printf("read %d\n", ((int (*)(void))p)());
    }
    for (int i = 0; i < 10; i++) {
        CHECK(mmap(p, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, i * 4096) == p);
        printf("mmap %d\n", ((int (*)(void))p)());
    }
    int mem = open("/proc/self/mem", O_RDWR);
    u8 five = 55;
    printf("mem %zd", pwrite(mem, &five, 1, (off_t)(u64)(p + 1)));
    printf(" %d\n", ((int (*)(void))p)());
    return DONE();
}
