/* CLONE_CLEAR_SIGHAND, as posix_spawn of newer C libraries uses it: a child that begins with default actions, by fork, by vfork and
 * with the parent's memory alone; faults are still the child's own to handle.
 * test-follow: yes */
#include "t.h"
#include <linux/sched.h>
#include <setjmp.h>
#include <sys/mman.h>

#define CLEAR_SIGHAND 0x100000000ull

static char stack[65536] __attribute__((aligned(16)));
static sigjmp_buf back;

static void parents(int sig) { (void)!write(1, "the parent's handler\n", 21), _exit(9); }
static void childs(int sig) { siglongjmp(back, 1); }

static void show(int sig, const char *name)
{
    struct sigaction a;
    sigaction(sig, NULL, &a);
    printf("  %s %s flags %#x\n", name, a.sa_handler == SIG_DFL ? "default" : a.sa_handler == SIG_IGN ? "ignored" : "handler",
           (unsigned)a.sa_flags & ~0x04000000u);
}

static void in_child(long dies)
{
    show(SIGUSR1, "USR1");
    show(SIGUSR2, "USR2");
    show(SIGSEGV, "SEGV");
    fflush(stdout);
    if (dies)
        *(volatile int *)dies = 1;
    signal(SIGSEGV, childs);
    if (!sigsetjmp(back, 1))
        *(volatile int *)8 = 1;
    raise(SIGURG);                                  /* default: nothing */
    _exit(21);
}

/* The child runs on a stack of its own if it shares the parent's memory. */
static pid_t clone3_into(unsigned long long flags, long dies)
{
    struct clone_args args = { .flags = flags, .exit_signal = SIGCHLD };
    if (flags & CLONE_VM)
        args.stack = (u64)stack, args.stack_size = sizeof stack;
    register long size __asm__("rsi") = sizeof args, arg __asm__("r12") = dies;
    register void (*run)(long) __asm__("r13") = in_child;
    long r;
    __asm__ volatile("syscall\n test %%rax, %%rax\n jnz 1f\n mov %%r12, %%rdi\n and $-16, %%rsp\n call *%%r13\n ud2\n1:"
                     : "=a"(r) : "0"((long)SYS_clone3), "D"(&args), "r"(size), "r"(arg), "r"(run) : "rcx", "r11", "memory", "cc");
    return (pid_t)r;
}

int main(void)
{
    struct sigaction a = { .sa_handler = parents, .sa_flags = SA_RESTART | SA_NODEFER };
    sigaction(SIGUSR1, &a, NULL);
    sigaction(SIGSEGV, &a, NULL);
    sigaction(SIGURG, &a, NULL);
    a.sa_handler = SIG_IGN;
    sigaction(SIGUSR2, &a, NULL);
    static const struct { const char *name; unsigned long long flags; } way[] = {
        { "fork", 0 }, { "vfork", CLONE_VM | CLONE_VFORK }, { "memory", CLONE_VM } };
    for (int i = 0; i < 3; i++)
        for (long dies = 0; dies <= 16; dies += 16) {
            printf("%s\n", way[i].name);
            fflush(stdout);
            pid_t pid = clone3_into(way[i].flags | CLEAR_SIGHAND, dies);
            t_wait(way[i].name, pid);
        }
    show(SIGUSR1, "parent's USR1");
    struct clone_args both = { .flags = CLEAR_SIGHAND | CLONE_SIGHAND | CLONE_VM, .exit_signal = SIGCHLD };
    printf("with the parent's: %ld errno %d\n", syscall(SYS_clone3, &both, sizeof both), errno);
    return DONE();
}
