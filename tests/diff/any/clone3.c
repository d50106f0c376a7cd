/* clone3 called raw: as fork, with a pidfd, and with a wrong size.
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
    return DONE();
}
