/* Raw clone with unusual flags: shared memory without thread group, own signal, vfork-like, child tid cleared.
 * test-follow: yes */
#include "t.h"
#include <linux/futex.h>
#include <sched.h>

static volatile int shared;
static pid_t tid;
static int child(void *arg)
{
    shared += (int)(long)arg;
    syscall(SYS_exit, 10 + (int)(long)arg);
    return 0;
}

int main(void)
{
    char *stack = (char *)mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + 65536;
    int status;
    pid_t pid = clone(child, stack, CLONE_VM | SIGCHLD, (void *)1);
    t_wait("CLONE_VM", pid);
    printf("shared %d\n", shared);
    pid = clone(child, stack, SIGCHLD, (void *)2);
    t_wait("copy", pid);
    printf("shared %d\n", shared);
    pid = clone(child, stack, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)3);
    printf("after vfork-like clone %d\n", shared);
    t_wait("CLONE_VFORK", pid);
    signal(SIGUSR1, SIG_IGN);
    pid = clone(child, stack, CLONE_VM | CLONE_FS | CLONE_FILES | SIGUSR1, (void *)4);
    CHECK(waitpid(pid, &status, __WALL) == pid);
    t_print_status("other signal", status);
    tid = -1;
    pid = clone(child, stack, CLONE_VM | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | CLONE_PARENT_SETTID | SIGCHLD,
                (void *)5, &tid, NULL,
                &tid);
    while (__atomic_load_n(&tid, __ATOMIC_SEQ_CST) != 0)
        syscall(SYS_futex, &tid, FUTEX_WAIT, pid, NULL, NULL, 0);
    t_wait("cleared", pid);
    printf("shared %d tid %d\n", shared, tid);
    return DONE();
}
