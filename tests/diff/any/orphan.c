/* A daemon-like grandchild outlives its parent, in a new session, and reports through a pipe.
 * test-follow: yes */
#include "t.h"

int main(void)
{
    int fd[2];
    CHECK(pipe(fd) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        pid_t before = getpid();
        if (fork() == 0) {
            while (getppid() == before)
                usleep(1000);
            write(fd[1], "orphan", 6);
            _exit(0);
        }
        _exit(1);
    }
    t_wait("parent", pid);
    char buf[16];
    ssize_t n = read(fd[0], buf, sizeof buf);
    printf("%.*s\n", (int)n, buf);
    return DONE();
}
