/* String instructions and xlat with a GS operand: memory, registers and flags as natively. */
#include "t.h"
#include <asm/prctl.h>

static char src[64] = "hello gs world", dst[64], other[64] = "hello gs earth";

int main(void)
{
    syscall(SYS_arch_prctl, ARCH_SET_GS, (unsigned long)src - 0x100);
    unsigned long si = 0x100, di = (unsigned long)dst, cx = 14, fl;
    __asm__ volatile("rep movsb %%gs:(%%rsi), %%es:(%%rdi)" : "+S"(si), "+D"(di), "+c"(cx) : : "memory");
    printf("%s %lx %lx\n", dst, si, cx);
    si = 0x100, di = (unsigned long)other, cx = 14;
    __asm__ volatile("cmp %%eax, %%eax; repe cmpsb %%es:(%%rdi), %%gs:(%%rsi); pushfq; pop %3"
                     : "+S"(si), "+D"(di), "+c"(cx), "=r"(fl) : : "memory", "cc");
    printf("%lx %lx %lx\n", si, cx, fl & 0x8d5);
    unsigned long a = 0x1122334455667788, b = 0x100;
    si = 0x104;
    __asm__ volatile("lodsw %%gs:(%%rsi), %%ax" : "+S"(si), "+a"(a));
    printf("%lx %lx\n", a, si);
    a = 3;
    __asm__ volatile(".byte 0x65; xlatb" : "+a"(a) : "b"(b));
    printf("%lx\n", a);
    return DONE();
}
