/* An fs prefix on a rip-relative operand, reached by setting the fs base to a small number; and an fs call target. */
#include "t.h"
#include <asm/prctl.h>

static u64 data[2] __attribute__((used)) = {111, 222};
static u64 target_cell __attribute__((used));
__asm__(".pushsection .text\nthe_target: mov $1234, %eax; ret\n.popsection\n");

int main(void)
{
    u64 base, plain, shifted, ret;
    CHECK(syscall(SYS_arch_prctl, ARCH_GET_FS, &base) == 0);
    __asm__ volatile("lea the_target(%%rip), %%rax; mov %%rax, target_cell(%%rip)\n"
                     "mov %[set], %%edi; mov $8, %%esi; mov $158, %%eax; syscall\n"
                     "mov %%fs:data(%%rip), %%r12\n"
                     "mov %%fs:data-8(%%rip), %%r13\n"
                     "call *%%fs:target_cell-8(%%rip); mov %%rax, %%r14\n"
                     "mov %[set], %%edi; mov %[base], %%rsi; mov $158, %%eax; syscall\n"
                     "mov %%r12, %[a]; mov %%r13, %[b]; mov %%r14, %[c]"
                     : [a] "=&r"(shifted), [b] "=&r"(plain), [c] "=&r"(ret)
                     : [set] "i"(ARCH_SET_FS), [base] "r"(base)
                     : "rax", "rcx", "rdi", "rsi", "r11", "r12", "r13", "r14", "memory", "cc");
    printf("%llu %llu %llu\n", (unsigned long long)plain, (unsigned long long)shifted, (unsigned long long)ret);
    return DONE();
}
