/* A megabyte of generated straight-line code with jumps, run, then half of it replaced and run again. */
#include "t.h"

int main(void)
{
    size_t n = 1 << 20;
    u8 *p = mmap(NULL, n, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int round = 0; round < 2; round++) {
        u64 s = 5 + (u64)round;
        size_t at = round ? n / 2 : 0;
        if (!round)
            memcpy(p, "\x31\xc0\x90\x90\x90\x90\x90\x90\x90\x90", 10), at = 10;
        at -= round ? n / 2 % 10 : 0;
        for (at = (at + 9) / 10 * 10; at + 20 < n; at += 10) {
            u64 r = t_random(&s);
            /* xor; rol; jmp +1; int3 */
            u8 code[10] = {0x35, (u8)r, (u8)(r >> 8), 0, 0, 0xd1, 0xc0, 0xeb, 1, 0xcc};
            memcpy(p + at, code, 10);
        }
        p[at] = 0xc3;
        printf("%x\n", ((u32 (*)(void))p)());
    }
    return DONE();
}
