/* A well-behaved compiler: pages go from writable to executable and back, with new code each time. */
#include "t.h"

int main(void)
{
    u64 sum = 0;
    u8 *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 500; i++) {
        CHECK(mprotect(p, 8192, PROT_READ | PROT_WRITE) == 0);
        int at = (i * 40) & 4095;
        /* lea eax,[rdi+i]; jmp; xor; ret */
        u8 code[] = {0x8d, 0x87, (u8)i, (u8)(i >> 8), 0, 0, 0xeb, 0, 0x35, 0x55, 0, 0, 0, 0xc3};
        memcpy(p + at, code, sizeof code);
        CHECK(mprotect(p, 8192, PROT_READ | PROT_EXEC) == 0);
        sum = sum * 31 + (u64)((int (*)(int))(p + at))(i * 3);
        sum = sum * 31 + (u64)((int (*)(int))(p + at))(i * 5);
    }
    printf("%llx\n", (unsigned long long)sum);
    return DONE();
}
