/* busy.c: threads that compute, talk through pipes, wait on futexes, sleep, poll, and get a timer's signals on an alternate stack,
 * each of which checks what it sees. A line on stdin asks whether all of them go on. Ends with stdin. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { N = 16, STUCK_MS = 60000 };
static struct { _Alignas(64) atomic_ulong n; const char *name; } step[N];
static atomic_int n_threads, n_bad;
static atomic_ulong n_signals;

static void bad(const char *what, long a, long b)
{
    printf("bad %s: %ld %ld\n", what, a, b);
    fflush(stdout);
    n_bad++;
}

static void nap(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    while (nanosleep(&t, &t) && errno == EINTR)
        ;
}

static void *compute(void *arg)
{
    atomic_ulong *n = arg;
    double first = 0;
    for (;; ++*n) {
        double sum = 0;
        unsigned long whole = 0;
        for (int i = 1; i < 20000; i++) {
            sum += 1.0 / i;
            whole = whole * 31 + (unsigned)i;
        }
        if (first == 0)
            first = sum + (double)whole;
        if (sum + (double)whole != first)
            bad("sum", 0, 0);
    }
}

static int pipes[2][2];
static void *speak(void *arg)
{
    atomic_ulong *n = arg;
    for (unsigned long i = 0, back;; i++, ++*n) {
        if (write(pipes[0][1], &i, sizeof i) != sizeof i)
            bad("write", errno, (long)i);
        ssize_t r = read(pipes[1][0], &back, sizeof back);
        if (r != sizeof back || back != i + 1)
            bad("reply", r < 0 ? -errno : (long)back, (long)i);
        if (i % 64 == 0)
            nap(1000);
    }
}

static void *answer(void *arg)
{
    atomic_ulong *n = arg;
    for (unsigned long i;; ++*n) {
        ssize_t r = read(pipes[0][0], &i, sizeof i);
        if (r != sizeof i)
            bad("read", r, errno);
        i++;
        if (write(pipes[1][1], &i, sizeof i) != sizeof i)
            bad("write back", errno, (long)i);
    }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int whose;
static void *take_turns(atomic_ulong *n, int me)
{
    for (;; ++*n) {
        pthread_mutex_lock(&lock);
        while (whose != me)
            pthread_cond_wait(&turn, &lock);
        whose = !me;
        pthread_cond_signal(&turn);
        pthread_mutex_unlock(&lock);
        if (*n % 64 == 0)
            nap(500);
    }
}
static void *ping(void *arg) { return take_turns(arg, 0); }
static void *pong(void *arg) { return take_turns(arg, 1); }

static void *sleeps(void *arg)
{
    atomic_ulong *n = arg;
    for (;; ++*n)
        nap(3000);
}

static void *polls(void *arg)
{
    atomic_ulong *n = arg;
    int fd = epoll_create1(0);
    struct epoll_event e;
    for (;; ++*n) {
        if (epoll_wait(fd, &e, 1, 3) > 0)
            bad("epoll_wait", 1, 0);
        if (poll(NULL, 0, 3) > 0)
            bad("poll", 1, 0);
    }
}

static void on_timer(int sig, siginfo_t *info, void *context)
{
    char here;
    stack_t now;
    sigaltstack(NULL, &now);
    if (!(now.ss_flags & SS_ONSTACK) || &here < (char *)now.ss_sp || &here > (char *)now.ss_sp + now.ss_size)
        bad("stack of the handler", (long)now.ss_flags, 0);
    n_signals++;
}

static void *interrupted(void *arg)
{
    atomic_ulong *n = arg;
    stack_t s = {.ss_sp = malloc(65536), .ss_size = 65536};
    struct sigaction act = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct sigevent e = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 3, ._sigev_un._tid = gettid()};
    struct itimerspec every = {{0, 2000000}, {0, 2000000}};
    timer_t timer;
    sigaltstack(&s, NULL);
    sigaction(SIGRTMIN + 3, &act, NULL);
    timer_create(CLOCK_MONOTONIC, &e, &timer);
    timer_settime(timer, 0, &every, NULL);
    for (unsigned long last = 0;; last = n_signals) {
        volatile double x = 1;
        for (int i = 0; i < 10000; i++)
            x = x * 1.0000001;
        if (n_signals != last)
            ++*n;
    }
}

static void *empty(void *arg) { return arg; }
static void *creates(void *arg)
{
    atomic_ulong *n = arg;
    for (;; ++*n) {
        pthread_t t;
        void *r;
        if (pthread_create(&t, NULL, empty, n) || pthread_join(t, &r) || r != n)
            bad("thread", 0, 0);
        nap(500);
    }
}

static void begin(const char *name, void *(*f)(void *))
{
    pthread_t t;
    int i = n_threads++;
    step[i].name = name;
    if (pthread_create(&t, NULL, f, &step[i].n))
        exit(2);
}

static void answer_question(void)
{
    unsigned long before[N];
    for (int i = 0; i < n_threads; i++)
        before[i] = step[i].n;
    for (int i = 0, ms = 0; i < n_threads; i++)
        for (; step[i].n < before[i] + 2; ms++, nap(1000))
            if (ms > STUCK_MS) {
                printf("stuck: %s\n", step[i].name);
                fflush(stdout);
                sleep(5);               /* who asked may look at the threads */
                exit(3);
            }
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    for (int s = 1; s <= 64; s++)
        if (sigismember(&set, s) == 1)
            bad("blocked signal", s, 0);
    puts("moving");
    fflush(stdout);
}

int main(void)
{
    char line[64];
    if (pipe(pipes[0]) || pipe(pipes[1]))
        return 2;
    begin("computes", compute);
    begin("speaks", speak);
    begin("answers", answer);
    begin("ping", ping);
    begin("pong", pong);
    begin("sleeps", sleeps);
    begin("polls", polls);
    begin("interrupted", interrupted);
    begin("creates", creates);
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        answer_question();
    puts(n_bad ? "bad" : "all agree");
    return n_bad ? 1 : 7;
}
