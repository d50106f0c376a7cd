/* probe_odd: what a probe may meet, by the first argument: forks, frames left by longjmp, a routine of its own with GS, routines
 * in which a jump cannot be placed. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static jmp_buf out;
__attribute__((noinline)) long deep(long n, int jumps)
{
    __asm__ volatile("" : "+r"(n));
    if (n == 0 && jumps)
        longjmp(out, 1);
    return n ? deep(n - 1, jumps) + 1 : 0;
}

static void jumps(void)
{
    volatile long sum = 0;
    for (int i = 0; i < 200; i++) {
        if (!setjmp(out))
            deep(50, 1);
        sum += deep(20, 0);
    }
    printf("jumps %ld\n", sum);
}

static void forks(void)
{
    int status, sum = 0;
    fflush(stdout);
    if (fork() == 0)
        _exit(3);
    wait(&status);
    sum += WEXITSTATUS(status);
    if (vfork() == 0)
        _exit(4);
    wait(&status);
    sum += WEXITSTATUS(status);
    printf("forks %d\n", sum);
}

/* ---- coroutines that move between threads in the middle of a routine ---- */
static ucontext_t here, there;
static char stack[65536];
static long moved;
__attribute__((noinline)) long moves(long n)
{
    swapcontext(&there, &here);
    __asm__ volatile("" : "+r"(n));
    return n + 1;
}
static void body(void) { moved = moves(41); }
static void *other(void *p)
{
    swapcontext(&here, &there);
    return NULL;
}
static void coroutines(void)
{
    pthread_t t;
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, body, 0);
    swapcontext(&here, &there);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    printf("coroutines %ld\n", moved);
}

__attribute__((noinline)) void plain(void) { __asm__ volatile("nopw 0x100(%rax)"); }
static void gs(void)
{
    static long area[4];
    syscall(SYS_arch_prctl, 0x1001, area);
    plain();
    printf("gs\n");
}

/* A caller that was compiled together with plain() may know that it changes nothing at all. */
long keeps(void);
__asm__(".text\n .p2align 4\n keeps: push %rbx\n push %r12\n push %rbp\n mov $200000, %ebx\n xor %r12d, %r12d\n"
        "0: mov $1, %ecx\n mov $2, %edx\n mov $3, %esi\n mov $4, %edi\n mov $5, %r8d\n mov $6, %r9d\n mov $7, %r10d\n mov $8, %r11d\n mov $9, %ebp\n"
        "cvtsi2sd %ebx, %xmm15\n movaps %xmm15, %xmm0\n movaps %xmm15, %xmm1\n movaps %xmm15, %xmm7\n movaps %xmm15, %xmm8\n"
        "call plain\n"
        "lea (%rcx,%rdx), %rax\n add %rsi, %rax\n add %rdi, %rax\n add %r8, %rax\n add %r9, %rax\n add %r10, %rax\n add %rbp, %rax\n"
        "cmp $37, %rax\n je 1f\n inc %r12\n"
        "1: ucomisd %xmm0, %xmm15\n jne 2f\n ucomisd %xmm1, %xmm15\n jne 2f\n ucomisd %xmm7, %xmm15\n jne 2f\n ucomisd %xmm8, %xmm15\n jne 2f\n"
        "cvtsd2si %xmm15, %rax\n cmp %rbx, %rax\n je 3f\n 2: inc %r12\n 3: dec %ebx\n jnz 0b\n mov %r12, %rax\n pop %rbp\n pop %r12\n pop %rbx\n ret\n");

long too_short(void), loops_inside(long), loops_to_entry(long), only_ret(void), stops(void);
__asm__(".text\n .p2align 4\n"
        ".globl too_short, after_it\n .type too_short, @function\n too_short: mov %edi, %eax\n ret\n .size too_short, .-too_short\n"
        ".type after_it, @function\n after_it: mov $1, %eax\n ret\n .size after_it, .-after_it\n .p2align 4\n"
        ".globl loops_inside\n .type loops_inside, @function\n loops_inside: xor %eax, %eax\n 1: inc %rax\n add $3, %rax\n dec %rdi\n jg 1b\n ret\n"
        ".size loops_inside, .-loops_inside\n .p2align 4\n"
        ".globl loops_to_entry\n .type loops_to_entry, @function\n loops_to_entry: sub $1, %rdi\n mov %rdi, %rax\n nop\n test %rdi, %rdi\n jg loops_to_entry\n"
        "ret\n .size loops_to_entry, .-loops_to_entry\n .p2align 4\n"
        ".globl stops\n .type stops, @function\n stops: push %rbx\n int3\n pop %rbx\n ret\n .size stops, .-stops\n .p2align 4\n"
        ".globl only_ret\n .type only_ret, @function\n only_ret: ret\n .size only_ret, .-only_ret\n .p2align 4\n");

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "jumps"))
        jumps();
    else if (!strcmp(what, "forks"))
        forks();
    else if (!strcmp(what, "coroutines"))
        coroutines();
    else if (!strcmp(what, "keeps"))
        printf("keeps %ld\n", keeps());
    else if (!strcmp(what, "gs"))
        gs();
    else
        printf("%ld %ld %ld\n", too_short() & 0, loops_inside(5), loops_to_entry(5)), only_ret();
    return 0;
}
