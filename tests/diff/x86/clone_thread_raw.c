/* A thread made by clone alone, without the C library: its own fs base, its own stack, tid cleared at its end. */
#include "t.h"
#include <linux/futex.h>
#include <sched.h>

static u64 area[8] __attribute__((aligned(16)));
volatile int result[2];
static int tid;
long start(long flags, void *stack, int *ptid, int *ctid, void *tls);
__asm__(".pushsection .text\n.globl start\nstart:\n"
        "  mov %rcx, %r10; mov $56, %eax; syscall; test %eax, %eax; jz 1f; ret\n"
        "1: mov %fs:8, %rax; lea result(%rip), %rcx; mov %eax, (%rcx); movl $77, %fs:16; mov %fs:16, %eax;"
        " mov %eax, 4(%rcx)\n"
        "  mov $60, %eax; xor %edi, %edi; syscall\n.popsection\n");

int main(void)
{
    char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 20; i++) {
        area[1] = 1000 + (u64)i, area[2] = 0;
        tid = 1;
        long r = start(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                       CLONE_PARENT_SETTID |
                       CLONE_CHILD_CLEARTID, stack + 65536, &tid, &tid, area);
        CHECK(r > 0);
        for (int now; (now = __atomic_load_n(&tid, __ATOMIC_SEQ_CST)) != 0;)
            syscall(SYS_futex, &tid, FUTEX_WAIT, now, NULL, NULL, 0);
        printf("%d %d\n", result[0], result[1]);
    }
    return DONE();
}
