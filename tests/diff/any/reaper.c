/* A process that inherits orphans sees its own and no others, however many programs are started below it; a program that is
 * executed while SIGCHLD is blocked finds what was pending and no more, and has no child.
 * test-follow: yes */
#include "t.h"
#include <sys/prctl.h>

static volatile int told;
static void on_child(int sig) { told++; }

static void start(const char *what)
{
    fflush(stdout);
    execl("/proc/self/exe", "reaper", what, NULL);
    CHECK(0);
}

/* Of three generations the last is an orphan, that is, ours. */
static void have_orphans(void)
{
    for (int i = 0; i < 8; i++) {
        if (fork() == 0) {
            if (fork() == 0)
                start("end");
            start("end");
        }
    }
    int n = 0, status;
    while (wait(&status) > 0 || errno == EINTR)
        n++;
    printf("reaped %d, then errno %d, told %s\n", n, errno, told > 0 ? "yes" : "no");
}

static void be_executed(int pending)
{
    sigset_t set;
    sigpending(&set);
    int r = waitpid(-1, NULL, __WALL | WNOHANG), e = errno;
    printf("SIGCHLD pending %d, children %d errno %d\n", sigismember(&set, SIGCHLD), r, e);
    CHECK(sigismember(&set, SIGCHLD) == pending);
    exit(0);
}

static void execute_blocked(const char *what)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        sigset_t set;
        sigemptyset(&set), sigaddset(&set, SIGCHLD);
        sigprocmask(SIG_BLOCK, &set, NULL);
        if (!strcmp(what, "pending"))
            raise(SIGCHLD);
        start(what);
    }
    t_wait(what, pid);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "end"))
        return 7;
    if (argc > 1)
        be_executed(!strcmp(argv[1], "pending"));
    CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    execute_blocked("none");
    execute_blocked("pending");
    signal(SIGCHLD, on_child);
    have_orphans();
    return DONE();
}
