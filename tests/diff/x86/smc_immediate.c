/* Self-modifying code: a loop patches an immediate of its own function in a writable and executable page. */
#include "t.h"

int main(void)
{
    u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(p, "\xb8\0\0\0\0\x01\xf8\xc3", 8);                     /* mov eax, 0; add eax, edi; ret */
    u64 sum = 0;
    for (int i = 0; i < 3000; i++) {
        memcpy(p + 1, &i, 4);
        sum = sum * 31 + (u64)(u32)((int (*)(int))p)(7);
    }
    printf("%llx\n", (unsigned long long)sum);
    return DONE();
}
