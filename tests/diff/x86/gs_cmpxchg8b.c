/* cmpxchg8b with a GS operand: it takes so many registers that few are left to rewrite it with. */
#include "x86.h"

static u64 words[4] = {0x1111222233334444, 5, 6, 7};
PIECE(p_equal, "mov $0x33334444, %eax; mov $0x11112222, %edx; mov $0xaaaa, %ebx; mov $0xbbbb, %ecx; xor %edi, %edi;"
               " lock cmpxchg8b %gs:(%rdi)");
PIECE(p_other, "mov $1, %eax; mov $2, %edx; mov $8, %esi; lock cmpxchg8b %gs:(%rsi)");
PIECE(p_based, "mov $1, %eax; mov $2, %edx; mov $16, %edi; xor %esi, %esi; cmpxchg8b %gs:(%rdi,%rsi)");

int main(void)
{
    syscall(SYS_arch_prctl, 0x1001, words);
    regs_try("equal", p_equal), regs_try("other", p_other), regs_try("based", p_based);
    printf("%llx %llx\n", (unsigned long long)words[0], (unsigned long long)words[1]);
    return DONE();
}
