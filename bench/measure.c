/* measure.c: run one program and print its exit status and its costs, its children's included.
 *
 *     measure CPUS TIMEOUT STDIN STDOUT STDERR PROGRAM [ARGS]
 *
 * CPUS is a list such as 1 or 0,1. One line comes out: status, user and system time in microseconds, wall time likewise,
 * the largest resident set in KB. The status is the exit code, 1000 + the signal, or 2000 after a timeout.
 *
 *  (1) A small process on purpose: a child inherits the peak memory of the process that starts it.
 *  (2) Orphans come here to die, so that a launcher that steps aside is paid for too. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t group;
static volatile sig_atomic_t timed_out;

static void on_alarm(int sig)
{
    (void)sig;
    timed_out = 1;
    kill(-group, SIGKILL);
}

static void pin(char *list)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (char *n = strtok(list, ","); n; n = strtok(NULL, ","))
        CPU_SET(atoi(n), &set);
    if (sched_setaffinity(0, sizeof set, &set))
        perror("measure: sched_setaffinity");
}

static void redirect(const char *path, int flags, int to)
{
    int fd = open(path, flags, 0666);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(127);
    close(fd);
}

static long micros(struct timeval t)
{
    return t.tv_sec * 1000000L + t.tv_usec;
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fputs("usage: measure CPUS TIMEOUT STDIN STDOUT STDERR PROGRAM [ARGS]\n", stderr);
        return 2;
    }
    pin(argv[1]);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGALRM, on_alarm);

    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t pid = vfork();
    if (pid == 0) {
        setpgid(0, 0);
        redirect(argv[3], O_RDONLY, 0);
        redirect(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 1);
        redirect(argv[5], O_WRONLY | O_CREAT | O_APPEND, 2);
        execv(argv[6], argv + 6);
        _exit(127);
    }
    group = pid;
    alarm(atoi(argv[2]));

    long user = 0, sys = 0, rss = 0;
    int status = 0, one;
    struct rusage u;
    for (pid_t got; (got = wait4(-1, &one, 0, &u)) > 0 || errno == EINTR;) {
        if (got < 0)
            continue;
        if (got == pid) {
            status = one;
            clock_gettime(CLOCK_MONOTONIC, &end);
        }
        user += micros(u.ru_utime);
        sys += micros(u.ru_stime);
        rss = u.ru_maxrss > rss ? u.ru_maxrss : rss;
    }
    long wall = (end.tv_sec - start.tv_sec) * 1000000L + (end.tv_nsec - start.tv_nsec) / 1000;
    int code = timed_out ? 2000 : WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
    printf("%d %ld %ld %ld %ld\n", code, user, sys, wall, rss);
    return 0;
}
