/* A child stops itself, the parent sees it, continues it, and a SIGCONT handler runs in it.
 * test-follow: yes */
#include "t.h"

static void handler(int signo, siginfo_t *si, void *ctx) { t_say("continued\n"); }

int main(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        t_handle(SIGCONT, handler, 0);
        raise(SIGSTOP);
        t_say("child goes on\n");
        raise(SIGSTOP);
        _exit(5);
    }
    int status;
    for (int i = 0; i < 2; i++) {
        CHECK(waitpid(pid, &status, WUNTRACED) == pid);
        printf("stopped %d by %d\n", WIFSTOPPED(status), WSTOPSIG(status));
        fflush(stdout);
        kill(pid, SIGCONT);
        if (i == 1)
            break;
    }
    t_wait("child", pid);
    return DONE();
}
