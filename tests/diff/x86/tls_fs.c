/* The fs base read by rdfsbase, by fs:0, by arch_prctl agree; fs operands of every shape reach the same memory.
 * test-schemes: exec */
#include "x86.h"
#include <asm/prctl.h>

static __thread u64 cell[4] = {11, 22, 33, 44};
static u64 copy[4];

int main(void)
{
    u64 by_insn = 0, by_memory, by_call;
    __asm__("mov %%fs:0, %0" : "=r"(by_memory));
    CHECK(syscall(SYS_arch_prctl, ARCH_GET_FS, &by_call) == 0);
    if (__builtin_cpu_supports("avx2"))
        __asm__ volatile("rdfsbase %0" : "=r"(by_insn));
    else
        by_insn = by_call;
    printf("insn %d call %d\n", by_insn == by_memory, by_call == by_memory);

    u64 off = (u64)&cell[0] - by_memory, v, w;
    __asm__ volatile("mov %%fs:(%1), %0" : "=r"(v) : "r"(off));
    printf("load %llu\n", (unsigned long long)v);
    __asm__ volatile("addq $5, %%fs:(%0); lock incq %%fs:8(%0); xchg %1, %%fs:16(%0)" :: "r"(off), "r"(1000ull) :
                     "memory");
    printf("after %llu %llu %llu\n", (unsigned long long)cell[0], (unsigned long long)cell[1],
           (unsigned long long)cell[2]);
    __asm__ volatile("lea %%fs:8(%1), %0" : "=r"(v) : "r"(off));
    printf("lea ignores fs: %d\n", v == off + 8);
    __asm__ volatile("pushq %%fs:24(%2); popq %0; movdqu %%fs:(%2), %%xmm0; movq %%xmm0, %1"
                     : "=&r"(v), "=&r"(w) : "r"(off) : "xmm0", "memory");
    printf("push %llu xmm %llu\n", (unsigned long long)v, (unsigned long long)w);
    const void *src = (const void *)off;
    void *dst = copy;
    u64 n = 32;
    __asm__ volatile("rep movsb %%fs:(%%rsi), %%es:(%%rdi)" : "+S"(src), "+D"(dst), "+c"(n) :: "memory");
    printf("movs %llu %llu %llu %llu\n", (unsigned long long)copy[0], (unsigned long long)copy[1],
           (unsigned long long)copy[2], (unsigned long long)copy[3]);
    __asm__ volatile("cmpq $44, %%fs:24(%1); sete %b0" : "=q"(v) : "r"(off));
    printf("cmp %d\n", (int)(v & 1));
    return DONE();
}
