/* Code that changes the very next instruction of its own basic block, each time differently. */
#include "t.h"

int main(void)
{
    u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    /* mov [rip+1], edi (patches the immediate below); mov eax, 0; ret */
    memcpy(p, "\x89\x3d\x01\0\0\0\xb8\0\0\0\0\xc3", 12);
    u64 sum = 0;
    int bad = 0;
    for (int i = 0; i < 1000; i++) {
        int got = ((int (*)(int))p)(i * 77);
        bad += got != i * 77;
        sum = sum * 31 + (u64)(u32)got;
    }
    printf("%llx bad %d\n", (unsigned long long)sum, bad);
    return DONE();
}
