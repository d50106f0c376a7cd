/* Children killed from outside in different states: in a loop, in a sleep, in a handler; each by its own signal.
 * test-follow: yes */
#include "t.h"

static void never_ends(int signo, siginfo_t *si, void *ctx) { for (;;) pause(); }

int main(void)
{
    static const int list[] = {SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGALRM, SIGQUIT};
    for (int i = 0; i < 6; i++) {
        int ready[2];
        CHECK(pipe(ready) == 0);
        pid_t pid = fork();
        if (pid == 0) {
            write(ready[1], "r", 1);
            if (i % 3 == 0)
                for (;;)
                    __asm__ volatile("");
            if (i % 3 == 1)
                for (;;)
                    sleep(100);
            t_handle(SIGUSR1, never_ends, 0);
            raise(SIGUSR1);
        }
        char c;
        CHECK(read(ready[0], &c, 1) == 1);
        kill(pid, list[i]);
        t_wait("child", pid);
        close(ready[0]), close(ready[1]);
    }
    return DONE();
}
