/* 32-bit system calls by int 0x80 from 64-bit code: getpid, write, a wrong number; registers afterwards.
 * test-needs: cpu:lm */
#include "x86.h"

PIECE(p_getpid, "mov $20, %eax; int $0x80; mov $0, %r9d");
PIECE(p_bad, "mov $9999, %eax; int $0x80");

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    char *text = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    CHECK(text != MAP_FAILED);
    strcpy(text, "by int 0x80\n");
    struct regs r = regs_fresh();
    x86_call(p_getpid, &r);
    printf("pid %d\n", r.rax == (u64)getpid());
    r.rax = 0;
    regs_print("getpid", &r);
    long n;
    __asm__ volatile("int $0x80" : "=a"(n) : "a"(4), "b"(1), "c"(text), "d"(strlen(text)) : "memory", "r8", "r9", "r10",
                     "r11");
    printf("write %ld\n", n);
    regs_try("bad", p_bad);
    return DONE();
}
