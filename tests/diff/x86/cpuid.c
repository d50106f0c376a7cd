/* cpuid gives what the machine gives: vendor, feature leaves, extended state sizes; rbx is kept
 * by the compiler's form. */
#include "t.h"
#include <cpuid.h>

int main(void)
{
    u32 a, b, c, d;
    __cpuid(0, a, b, c, d);
    printf("%u %.4s%.4s%.4s\n", a, (char *)&b, (char *)&d, (char *)&c);
    __cpuid(1, a, b, c, d);
    printf("%x %x %x\n", a, c, d);                     /* ebx holds the number of the CPU that answers */
    for (u32 sub = 0; sub < 2; sub++) {
        __cpuid_count(7, sub, a, b, c, d);
        printf("7.%u: %x %x %x %x\n", sub, a, b, c, d);
    }
    __cpuid_count(13, 0, a, b, c, d);
    printf("13: %x %x %x %x\n", a, b, c, d);
    __cpuid(0x80000001, a, b, c, d);
    printf("%x %x %x %x\n", a, b, c, d);
    u64 rax = 0xffffffff00000000ull, rbx, rcx = 0xffffffff00000000ull, rdx;
    __asm__ volatile("cpuid" : "+a"(rax), "=b"(rbx), "+c"(rcx), "=d"(rdx));
    printf("upper halves %llx\n", (unsigned long long)((rax | rbx | rcx | rdx) >> 32));
    return DONE();
}
