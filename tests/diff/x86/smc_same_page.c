/* Data and code in one writable and executable page: writes to the data leave the code alone and stay correct. */
#include "t.h"

int main(void)
{
    u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    /* inc dword [rip+0x3fa] (at p+0x400); mov eax, [rip+0x3f4]; ret */
    memcpy(p, "\xff\x05\xfa\x03\0\0\x8b\x05\xf4\x03\0\0\xc3", 13);
    int last = 0;
    for (int i = 0; i < 20000; i++) {
        last = ((int (*)(void))p)();
        p[2048 + (i & 1023)] = (u8)i;
    }
    printf("%d %d\n", last, *(int *)(p + 0x400));
    return DONE();
}
