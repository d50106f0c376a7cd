/* Instructions that lie across a page boundary, each byte position in turn, and code up to the
 * last byte of a mapping. */
#include "t.h"

int main(void)
{
    u8 *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(munmap(p + 8192, 4096) == 0);
    static const u8 code[] = {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8,                  /* movabs rax */
                              0x48, 0x81, 0xc0, 0x11, 0x22, 0x33, 0x04,            /* add rax, imm */
                              0x48, 0x8d, 0x84, 0x00, 0x10, 0, 0, 0,               /* lea rax, [rax+rax+16] */
                              0xeb, 0x01, 0xcc, 0xc3};                             /* jmp over int3; ret */
    for (unsigned shift = 0; shift <= sizeof code; shift++) {
        u8 *at = p + 4096 - shift;
        CHECK(mprotect(p, 8192, PROT_READ | PROT_WRITE) == 0);
        memcpy(at, code, sizeof code);
        at[2] = (u8)shift;
        CHECK(mprotect(p, 8192, PROT_READ | PROT_EXEC) == 0);
        printf("%llx\n", ((unsigned long long (*)(void))at)());
    }
    CHECK(mprotect(p, 8192, PROT_READ | PROT_WRITE) == 0);
    u8 *last = p + 8192 - sizeof code;
    memcpy(last, code, sizeof code);
    CHECK(mprotect(p, 8192, PROT_READ | PROT_EXEC) == 0);
    printf("last %llx\n", ((unsigned long long (*)(void))last)());
    return DONE();
}
