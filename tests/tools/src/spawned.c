/* Waits in spawn_here's caller until somebody has run `second`, which the program itself never calls. */
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/syscall.h>
volatile long got, vector, thread_word;
volatile int tid;

/* Called by nobody, with one argument in rdi, an own thread pointer and a value in xmm3. Ten instructions and the two of its end. */
void second(void);
__asm__(".globl second\n.type second, @function\nsecond:\n"
        "inc %rdi\n mov %rdi, got(%rip)\n movq %xmm3, %rax\n mov %rax, vector(%rip)\n"
        "movq $99, %fs:0\n mov %fs:0, %rax\n mov %rax, thread_word(%rip)\n"
        "mov $186, %eax\n syscall\n mov %eax, tid(%rip)\n"
        "mov $60, %eax\n syscall\n.size second, . - second\n");
__attribute__((noinline)) void spawn_here(void) { __asm__ volatile(""); }

int main(void)
{
    spawn_here();
    while (!tid)
        sched_yield();
    char task[64];
    sprintf(task, "/proc/self/task/%d", tid);
    while (!access(task, F_OK))
        sched_yield();
    printf("%ld %lx %ld %d\n", got, vector, thread_word, tid != getpid());
    return 5;
}
