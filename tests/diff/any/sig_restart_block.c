/* nanosleep with a relative time that is stopped and continued goes on (restart_syscall), and futex waits too.
 * test-follow: yes */
#include "t.h"

int main(void)
{
    int ready[2];
    CHECK(pipe(ready) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        write(ready[1], "r", 1);
        struct timespec ts = {0, 400000000};
        int r = nanosleep(&ts, NULL);
        _exit(r == 0 ? 7 : errno);
    }
    char c;
    CHECK(read(ready[0], &c, 1) == 1);
    for (int i = 0; i < 5; i++) {
        int status;
        kill(pid, SIGSTOP);
        CHECK(waitpid(pid, &status, WUNTRACED) == pid);
        if (!WIFSTOPPED(status))
            break;
        kill(pid, SIGCONT);
    }
    t_wait("sleeper", pid);
    return DONE();
}
