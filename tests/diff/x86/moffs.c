/* mov between the accumulator and a 64-bit absolute address (moffs), all sizes, and with the address-size prefix. */
#include "t.h"

#define AT 0x10000000ul

int main(void)
{
    u64 *p = mmap((void *)AT, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK((u64)p == AT);
    p[0] = 0x1122334455667788, p[1] = 0;
    u64 a, b, c, d;
    __asm__ volatile("movabs 0x10000000, %%rax; mov %%rax, %0\n movabs 0x10000004, %%eax; mov %%rax, %1\n"
                     "mov $-1, %%rax; movabs 0x10000002, %%ax; mov %%rax, %2\n movabs 0x10000007, %%al; mov %%rax, %3\n"
                     "movabs %%rax, 0x10000008\n .byte 0x67, 0xa0, 0, 0, 0, 0x10"
                     : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d) :: "rax", "memory");
    printf("%llx %llx %llx %llx %llx\n", (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
           (unsigned long long)d, (unsigned long long)p[1]);
    syscall(SYS_arch_prctl, 0x1001, AT + 1024);                    /* GS: the base is added behind a 32-bit address, too */
    p[128] = 0xabcdef0123456789;
    u64 e, f;
    __asm__ volatile(".byte 0x65, 0x67, 0x48, 0xa1, 0, 0, 0, 0; mov %%rax, %0\n"
                     ".byte 0x65, 0x48, 0xa1, 0, 0, 0, 0, 0, 0, 0, 0; mov %%rax, %1\n"
                     ".byte 0x65, 0x67, 0xa2, 8, 0, 0, 0" : "=&r"(e), "=&r"(f) :: "rax", "memory");
    printf("%llx %llx %llx\n", (unsigned long long)e, (unsigned long long)f, (unsigned long long)p[129]);
    return DONE();
}
