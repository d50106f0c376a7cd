/* clone3 called raw: as fork, with a pidfd, with a wrong size, and with half a stack.
 * test-follow: yes */
#include "t.h"
#include <linux/sched.h>
#include <poll.h>

int main(void)
{
    int pidfd = -1;
    struct clone_args args = {.flags = CLONE_PIDFD, .pidfd = (u64)&pidfd, .exit_signal = SIGCHLD};
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
    if (pid == 0)
        _exit(21);
    struct pollfd p = {.fd = pidfd, .events = POLLIN};
    CHECK(pidfd >= 0 && poll(&p, 1, -1) == 1);
    t_wait("clone3", pid);
    printf("wrong size %ld errno %d\n", syscall(SYS_clone3, &args, 8ul), errno);
    struct clone_args base = {.flags = CLONE_VM, .exit_signal = SIGCHLD, .stack = (u64)&base}, size = {.exit_signal = SIGCHLD, .stack_size = 4096};
    printf("no size %ld errno %d\n", syscall(SYS_clone3, &base, sizeof base), errno);
    printf("no stack %ld errno %d\n", syscall(SYS_clone3, &size, sizeof size), errno);
    base.stack_size = ~0ul;
    printf("too long %ld errno %d\n", syscall(SYS_clone3, &base, sizeof base), errno);
    return DONE();
}
