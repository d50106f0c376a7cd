/* stays.c: threads that have something on record with the kernel, and ask for nothing more: an alternate stack, a mask, a timer, a
 * robust mutex. Each says at the end, when SIGUSR1 comes, whether it is as it was. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t is_over, n_ticks;
static int n_bad, pipe_fd[2];
static pthread_mutex_t robust;
static void end(int sig) { is_over = 1; }
static void tick(int sig) { n_ticks++; }

static void *reads(void *arg)
{
    static char stack[65536];
    stack_t s = {.ss_sp = stack, .ss_size = sizeof stack}, now;
    char c;
    sigaltstack(&s, NULL);
    n_bad += read(pipe_fd[0], &c, 1) != 1 || c != 'x';
    sigaltstack(NULL, &now);
    n_bad += now.ss_sp != stack || now.ss_size != sizeof stack || now.ss_flags;
    return NULL;
}
static void *epolls(void *arg)
{
    int ep = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN};
    epoll_ctl(ep, EPOLL_CTL_ADD, *(int *)arg, &e);
    int n;
    do
        n = epoll_wait(ep, &e, 1, 600000);
    while (n < 0 && errno == EINTR);                /* whoever looks at it with ptrace ends the call */
    n_bad += n != 1;
    return NULL;
}
static void *dies_with_lock(void *arg)
{
    char c;
    pthread_mutex_lock(&robust);
    n_bad += read(*(int *)arg, &c, 1) != 1;
    return NULL;                        /* the kernel marks the mutex, by this thread's robust list */
}

int main(void)
{
    pthread_t t[3];
    int other[2], third[2];
    pthread_mutexattr_t a;
    timer_t timer;
    struct sigevent to = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    struct itimerspec every = {{0, 20000000}, {0, 20000000}};
    sigset_t set;
    if (pipe(pipe_fd) || pipe(other) || pipe(third))
        return 1;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &a);
    signal(SIGUSR1, end);
    signal(SIGRTMIN, tick);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t[0], NULL, reads, NULL);
    pthread_create(&t[1], NULL, epolls, &other[0]);
    pthread_create(&t[2], NULL, dies_with_lock, &third[0]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    timer_create(CLOCK_MONOTONIC, &to, &timer);
    timer_settime(timer, 0, &every, NULL);
    puts("ready");
    fflush(stdout);
    while (!is_over) {
        for (volatile int i = 0; i < 100000; i++)
            ;
        usleep(1000);
    }
    n_bad += write(pipe_fd[1], "x", 1) != 1 || write(other[1], "x", 1) != 1 || write(third[1], "x", 1) != 1;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    n_bad += pthread_mutex_lock(&robust) != EOWNERDEAD;
    for (int before = n_ticks; n_ticks < before + 3;)
        usleep(1000);
    puts(n_bad ? "something has changed" : "all as it was");
    return n_bad != 0;
}
