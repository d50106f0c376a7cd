/* launch_state.c: prints what a program inherits and could see of its launcher; launch_state.sh compares it. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void print_signals(void)
{
    sigset_t pending, blocked;
    struct sigaction action;
    sigpending(&pending);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int sig = 1; sig < 65; sig++) {
        if (sigaction(sig, NULL, &action))
            continue;
        printf("signal %d: pending %d, blocked %d, ignored %d\n", sig, sigismember(&pending, sig),
               sigismember(&blocked, sig), action.sa_handler == SIG_IGN);
    }
}

static void print_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    for (struct dirent *e; (e = readdir(d));)
        printf("descriptor %s\n", e->d_name);
    closedir(d);
}

int main(int argc, char **argv)
{
    int status, death = -1, reaper = -1;
    pid_t child = waitpid(-1, &status, WNOHANG | __WALL);
    prctl(PR_GET_PDEATHSIG, &death);
    prctl(PR_GET_CHILD_SUBREAPER, &reaper);
    printf("argc %d, %s\n", argc, argv[0]);
    printf("children: %s\n", child < 0 ? strerror(errno) : "some");
    printf("pdeathsig %d, dumpable %d, reaper %d\n", death, prctl(PR_GET_DUMPABLE), reaper);
    printf("parent %d, group %d, session %d\n", getppid(), getpgid(0), getsid(0));
    print_signals();
    print_descriptors();
    return 0;
}
