/* states.c: a thread in every state that a process can be found in. Each does a small job over and over and checks what the
 * kernel tells it: no lost byte, wake-up or signal, no call that fails with EINTR for nothing, no timeout that grows.
 * Commands on stdin: "check" waits until every thread has got on and says so; "end" ends with a token. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct job { const char *name; void *(*run)(void *); unsigned long progress; pthread_t id; };
static struct job jobs[];
static volatile int is_over;
static int n_bad;

static void bad(const char *what)
{
    if (is_over)
        return;
    __atomic_add_fetch(&n_bad, 1, __ATOMIC_RELAXED);
    fprintf(stdout, "bad: %s: %s\n", what, strerror(errno));
    fflush(stdout);
}
#define CHECK(c) do { if (!(c)) bad(#c); } while (0)
#define EACH_ROUND(j) for (struct job *j = arg; !is_over; __atomic_add_fetch(&j->progress, 1, __ATOMIC_RELAXED))

static unsigned pause_us(unsigned *seed) { *seed = *seed * 1103515245 + 12345; return *seed >> 16 & 2047; }

/* ---- computing ---- */
static void *computes(void *arg)
{
    EACH_ROUND(j) {
        unsigned long x = 1;
        double s = 0;
        for (int i = 1; i < 30000; i++) {
            x = x * 6364136223846793005ul + 1;
            s += 1.0 / i;
        }
        CHECK(x == 5491989010501566736ul);
        CHECK(s > 10.88 && s < 10.89);
        usleep(100);
    }
    return NULL;
}

/* ---- bytes through a pipe ---- */
static int pipe_fd[2];
static void *writes(void *arg)
{
    unsigned char c = 0;
    unsigned seed = 1;
    EACH_ROUND(j) {
        CHECK(write(pipe_fd[1], &c, 1) == 1);
        c++;
        usleep(pause_us(&seed));
    }
    close(pipe_fd[1]);
    return NULL;
}
static void *reads(void *arg)
{
    unsigned char want = 0, c;
    EACH_ROUND(j) {
        ssize_t n = read(pipe_fd[0], &c, 1);
        if (n == 0)
            break;
        CHECK(n == 1 && c == want);
        want++;
    }
    return NULL;
}

/* ---- timeouts ---- */
static double since(const struct timespec *from)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - from->tv_sec) + (double)(now.tv_nsec - from->tv_nsec) / 1e9;
}
static void *sleeps(void *arg)
{
    EACH_ROUND(j) {
        struct timespec t = {0, 30000000}, from;
        clock_gettime(CLOCK_MONOTONIC, &from);
        CHECK(nanosleep(&t, NULL) == 0);
        CHECK(since(&from) >= 0.0299);
    }
    return NULL;
}
/* Many attaches fall into one long wait; it must not become longer. The kernel itself restarts nanosleep with what is left, so
 * two waits that begin together end together. */
enum { LONG_S = 2 };
static pthread_barrier_t begin_long, end_long;
static double slept_long;
static void *sleeps_long(void *arg)
{
    EACH_ROUND(j) {
        struct timespec t = {LONG_S, 0}, from;
        pthread_barrier_wait(&begin_long);
        clock_gettime(CLOCK_MONOTONIC, &from);
        CHECK(nanosleep(&t, NULL) == 0);
        slept_long = since(&from);
        CHECK(slept_long >= LONG_S - 0.001);
        pthread_barrier_wait(&end_long);
    }
    return NULL;
}
static void *epolls_long(void *arg)
{
    int ep = epoll_create1(0);
    EACH_ROUND(j) {
        struct epoll_event e;
        struct timespec from;
        pthread_barrier_wait(&begin_long);
        clock_gettime(CLOCK_MONOTONIC, &from);
        CHECK(epoll_wait(ep, &e, 1, LONG_S * 1000) == 0);
        double d = since(&from);
        pthread_barrier_wait(&end_long);
        CHECK(d >= LONG_S - 0.001 && d < slept_long + LONG_S);
    }
    return NULL;
}
/* A socket that gives up receiving, or sending, after this time. The sender's buffer is full. */
static int socket_with_limit(int option, int ms)
{
    int two[2];
    char byte[4096] = {0};
    struct timeval t = {ms / 1000, ms % 1000 * 1000};
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, two) == 0);
    while (option == SO_SNDTIMEO && send(two[0], byte, sizeof byte, MSG_DONTWAIT) > 0)
        ;
    CHECK(setsockopt(two[0], SOL_SOCKET, option, &t, sizeof t) == 0);
    return two[0];
}
static void *receives_long(void *arg)
{
    int fd = socket_with_limit(SO_RCVTIMEO, LONG_S * 1000);
    EACH_ROUND(j) {
        struct timespec from;
        struct timeval t;
        socklen_t size = sizeof t;
        char byte;
        pthread_barrier_wait(&begin_long);
        clock_gettime(CLOCK_MONOTONIC, &from);
        CHECK(recv(fd, &byte, 1, 0) == -1 && errno == EAGAIN);
        double d = since(&from);
        pthread_barrier_wait(&end_long);
        CHECK(d >= LONG_S - 0.05 && d < slept_long + LONG_S);
        CHECK(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, &size) == 0 && t.tv_sec == LONG_S && t.tv_usec == 0);
    }
    return NULL;
}
/* Calls that end with EINTR at every stop, natively: this one must not be seen. */
static void times_out(int which)
{
    enum { MS = 40 };
    struct timespec t = {0, MS * 1000000}, from;
    struct epoll_event e;
    struct sembuf down = {0, -1, 0};
    sigset_t one, all;
    static int ep, sem, in, out;
    char byte = 0;
    if (!ep)
        ep = epoll_create1(0), sem = semget(IPC_PRIVATE, 1, 0600), in = socket_with_limit(SO_RCVTIMEO, MS),
        out = socket_with_limit(SO_SNDTIMEO, MS);
    sigfillset(&all);
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 4);
    clock_gettime(CLOCK_MONOTONIC, &from);
    switch (which % 7) {
    case 0: CHECK(epoll_wait(ep, &e, 1, MS) == 0); break;
    case 1: CHECK(epoll_pwait(ep, &e, 1, MS, &all) == 0); break;
    case 2: CHECK(syscall(SYS_epoll_pwait2, ep, &e, 1, &t, NULL, 8) == 0); break;
    case 3: CHECK(sigtimedwait(&one, NULL, &t) == -1 && errno == EAGAIN); break;
    case 4: CHECK(semtimedop(sem, &down, 1, &t) == -1 && errno == EAGAIN); break;
    case 5: CHECK(recv(in, &byte, 1, 0) == -1 && errno == EAGAIN); break;
    case 6: CHECK(send(out, &byte, 1, 0) == -1 && errno == EAGAIN); break;
    }
    /* A socket's timeout is in the kernel's ticks, and each of several stops may cost one. */
    CHECK(since(&from) >= MS / 1000.0 - (which % 7 >= 5 ? 0.02 : 0.0005));
    CHECK(t.tv_sec == 0 && t.tv_nsec == MS * 1000000);
    if (is_over)
        semctl(sem, 0, IPC_RMID);
}
static void *times_out_calls(void *arg)
{
    EACH_ROUND(j)
        times_out((int)j->progress);
    return NULL;
}
static void *polls(void *arg)
{
    EACH_ROUND(j) {
        struct timespec from;
        clock_gettime(CLOCK_MONOTONIC, &from);
        CHECK(poll(NULL, 0, 25) == 0);
        CHECK(since(&from) >= 0.0249);
    }
    return NULL;
}
static void *selects(void *arg)
{
    EACH_ROUND(j) {
        struct timeval t = {0, 25000};
        struct timespec from;
        clock_gettime(CLOCK_MONOTONIC, &from);
        CHECK(select(0, NULL, NULL, NULL, &t) == 0);
        CHECK(since(&from) >= 0.0249);
    }
    return NULL;
}

/* ---- wake-ups ---- */
static int event_fd;
static void *signals_event(void *arg)
{
    unsigned seed = 7;
    EACH_ROUND(j) {
        eventfd_t one = 1;
        CHECK(write(event_fd, &one, 8) == 8);
        usleep(pause_us(&seed));
    }
    return NULL;
}
static void *waits_epoll(void *arg)
{
    int ep = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN};
    CHECK(epoll_ctl(ep, EPOLL_CTL_ADD, event_fd, &e) == 0);
    EACH_ROUND(j) {
        eventfd_t n;
        CHECK(epoll_wait(ep, &e, 1, -1) == 1);
        CHECK(read(event_fd, &n, 8) == 8);
    }
    return NULL;
}
static sem_t ping, pong;
static void *pings(void *arg)
{
    EACH_ROUND(j) {
        sem_post(&ping);
        CHECK(sem_wait(&pong) == 0);
        usleep(100);
    }
    sem_post(&ping);
    return NULL;
}
static void *pongs(void *arg)
{
    EACH_ROUND(j) {
        CHECK(sem_wait(&ping) == 0);
        sem_post(&pong);
    }
    sem_post(&pong);
    return NULL;
}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *waits_with_limit(void *arg)
{
    EACH_ROUND(j) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 20000000;
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        pthread_mutex_lock(&mutex);
        CHECK(pthread_cond_timedwait(&cond, &mutex, &t) == ETIMEDOUT);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static int sem_id;
static void *waits_semop(void *arg)
{
    EACH_ROUND(j) {
        struct sembuf down = {0, -1, 0};
        CHECK(semop(sem_id, &down, 1) == 0);
    }
    return NULL;
}
static void *raises_semop(void *arg)
{
    unsigned seed = 3;
    EACH_ROUND(j) {
        struct sembuf up = {0, 1, 0};
        CHECK(semop(sem_id, &up, 1) == 0);
        usleep(pause_us(&seed));
    }
    struct sembuf up = {0, 100, 0};
    semop(sem_id, &up, 1);
    return NULL;
}

/* ---- a server and its client ---- */
static int server_fd;
static struct sockaddr_in server_at;
static void *serves(void *arg)
{
    EACH_ROUND(j) {
        int c = accept(server_fd, NULL, NULL);
        unsigned v;
        CHECK(c >= 0);
        CHECK(recv(c, &v, sizeof v, MSG_WAITALL) == sizeof v);
        v = ~v;
        CHECK(send(c, &v, sizeof v, 0) == sizeof v);
        close(c);
    }
    return NULL;
}
static void *asks(void *arg)
{
    unsigned n = 0;
    EACH_ROUND(j) {
        int c = socket(AF_INET, SOCK_STREAM, 0);
        unsigned v = n++, back = 0;
        CHECK(connect(c, (struct sockaddr *)&server_at, sizeof server_at) == 0);
        CHECK(send(c, &v, sizeof v, 0) == sizeof v);
        CHECK(recv(c, &back, sizeof back, MSG_WAITALL) == sizeof back && back == ~v);
        struct linger hard = {1, 0};
        setsockopt(c, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close(c);
        usleep(2000);
    }
    return NULL;
}

/* ---- processes and threads ---- */
static void *forks(void *arg)
{
    EACH_ROUND(j) {
        int status = 0;
        pid_t p = fork();
        if (p == 0) {
            usleep(3000);
            _exit(42);
        }
        CHECK(p > 0 && waitpid(p, &status, 0) == p);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 42);
        usleep(20000);
    }
    return NULL;
}
/* The child ends when posix_spawn is over here. That blocks all signals meanwhile, and the kernel gives a SIGCHLD that is blocked
 * where it belongs to any other thread, ignored or not, which ends sigwaitinfo there: natively, too. */
static void *spawns(void *arg)
{
    extern char **environ;
    EACH_ROUND(j) {
        char *argv[] = {"cat", NULL};
        int status = 1, to_child[2];
        pid_t p;
        posix_spawn_file_actions_t actions;
        CHECK(pipe2(to_child, O_CLOEXEC) == 0);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, to_child[0], 0);
        CHECK(posix_spawn(&p, "/bin/cat", &actions, NULL, argv, environ) == 0);
        posix_spawn_file_actions_destroy(&actions);
        close(to_child[0]);
        close(to_child[1]);
        CHECK(waitpid(p, &status, 0) == p && status == 0);
        usleep(20000);
    }
    return NULL;
}
static void *is_born(void *arg) { return (void *)((long)arg * 3); }
static void *creates(void *arg)
{
    EACH_ROUND(j) {
        pthread_t t[4];
        for (long i = 0; i < 4; i++)
            CHECK(pthread_create(&t[i], NULL, is_born, (void *)i) == 0);
        for (long i = 0; i < 4; i++) {
            void *r = NULL;
            CHECK(pthread_join(t[i], &r) == 0 && r == (void *)(i * 3));
        }
        usleep(5000);
    }
    return NULL;
}

/* ---- signals: each one is waited for before the next is sent, so a lost one is a stop for good ---- */
static volatile unsigned long n_got, n_on_stack, n_alarms;
static char *stack_at;
enum { STACK_SIZE = 65536 };
static void got(int sig) { __atomic_add_fetch(&n_got, 1, __ATOMIC_SEQ_CST); }
static void *suspends(void *arg)
{
    sigset_t block, others;
    sigfillset(&others);
    sigdelset(&others, SIGUSR1);
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &block, NULL);
    EACH_ROUND(j) {
        unsigned long before = n_got;
        CHECK(sigsuspend(&others) == -1 && errno == EINTR);
        CHECK(n_got == before + 1);
    }
    return NULL;
}
static pthread_t *thread_of(const char *name);
static void *sends(void *arg)
{
    pthread_t *to = thread_of("suspends");
    EACH_ROUND(j) {
        unsigned long before = __atomic_load_n(&n_got, __ATOMIC_SEQ_CST);
        pthread_kill(*to, SIGUSR1);
        while (__atomic_load_n(&n_got, __ATOMIC_SEQ_CST) == before)
            usleep(300);
    }
    return NULL;
}
static unsigned long n_waited;
static void *waits_for_signal(void *arg)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 3);
    EACH_ROUND(j) {
        siginfo_t info;
        CHECK(sigwaitinfo(&set, &info) == SIGRTMIN + 3);
        __atomic_add_fetch(&n_waited, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}
static void *queues(void *arg)
{
    pthread_t *to = thread_of("waits_for_signal");
    EACH_ROUND(j) {
        unsigned long before = __atomic_load_n(&n_waited, __ATOMIC_SEQ_CST);
        union sigval v = {.sival_int = 1};
        pthread_sigqueue(*to, SIGRTMIN + 3, v);
        while (__atomic_load_n(&n_waited, __ATOMIC_SEQ_CST) == before && !is_over)
            usleep(300);
    }
    pthread_sigqueue(*to, SIGRTMIN + 3, (union sigval){0});
    return NULL;
}
/* A handler on an alternate stack, which takes its time there. */
static void on_stack(int sig, siginfo_t *info, void *context)
{
    char here;
    struct timespec t = {0, 3000000};
    CHECK(&here > stack_at && &here < stack_at + STACK_SIZE);
    CHECK(nanosleep(&t, NULL) == 0);
    n_on_stack++;
}
static void *handles_on_stack(void *arg)
{
    stack_at = malloc(STACK_SIZE);
    stack_t s = {.ss_sp = stack_at, .ss_size = STACK_SIZE};
    CHECK(sigaltstack(&s, NULL) == 0);
    EACH_ROUND(j) {
        unsigned long before = n_on_stack;
        raise(SIGUSR2);
        CHECK(n_on_stack == before + 1);
        stack_t now;
        CHECK(sigaltstack(NULL, &now) == 0 && now.ss_sp == stack_at && now.ss_size == STACK_SIZE && now.ss_flags == 0);
    }
    return NULL;
}
static void on_alarm(int sig) { __atomic_add_fetch(&n_alarms, 1, __ATOMIC_RELAXED); }
static void *watches_timer(void *arg)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    struct itimerval t = {{0, 7000}, {0, 7000}};
    setitimer(ITIMER_REAL, &t, NULL);
    EACH_ROUND(j) {
        unsigned long before = __atomic_load_n(&n_alarms, __ATOMIC_RELAXED);
        for (int i = 1; __atomic_load_n(&n_alarms, __ATOMIC_RELAXED) == before; i++)
            if (i % 10000 == 0)
                usleep(100);
    }
    memset(&t, 0, sizeof t);
    setitimer(ITIMER_REAL, &t, NULL);
    return NULL;
}

/* ---- the vdso, and thread-local data ---- */
static __thread unsigned long own;
static void *reads_clock(void *arg)
{
    struct timespec last = {0};
    EACH_ROUND(j) {
        for (int i = 0; i < 2000; i++) {
            struct timespec now;
            clock_gettime(CLOCK_MONOTONIC, &now);
            CHECK(now.tv_sec > last.tv_sec || (now.tv_sec == last.tv_sec && now.tv_nsec >= last.tv_nsec));
            last = now;
            own++;
        }
        CHECK(own == (j->progress + 1) * 2000);
        CHECK(sched_getcpu() >= 0);
        usleep(100);
    }
    return NULL;
}

/* The page that old programs call; not every kernel has it. */
static void *calls_vsyscall(void *arg)
{
    time_t (*vsyscall_time)(time_t *) = (void *)0xffffffffff600400ul;
    char line[256];
    int is_there = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        is_there |= strstr(line, "[vsyscall]") != NULL;
    fclose(f);
    EACH_ROUND(j) {
        for (int i = 0; is_there && i < 200; i++) {
            time_t before = time(NULL), t = vsyscall_time(NULL), after = time(NULL);
            CHECK(t >= before - 1 && t <= after + 1);
        }
        usleep(100);
    }
    return NULL;
}

static struct job jobs[] = {
#define J(f) {.name = #f, .run = f}
    J(computes), J(writes), J(reads), J(sleeps), J(sleeps_long), J(polls), J(selects), J(signals_event), J(waits_epoll),
    J(pings), J(pongs), J(waits_with_limit), J(waits_semop), J(raises_semop), J(serves), J(asks), J(forks), J(spawns),
    J(creates), J(epolls_long), J(receives_long), J(times_out_calls), J(calls_vsyscall), J(suspends), J(sends), J(waits_for_signal), J(queues),
    J(handles_on_stack), J(watches_timer), J(reads_clock),
};
enum { N_JOBS = sizeof jobs / sizeof jobs[0] };

static pthread_t *thread_of(const char *name)
{
    for (int i = 0; i < N_JOBS; i++)
        if (!strcmp(jobs[i].name, name))
            return &jobs[i].id;
    abort();
}

static void set_up(void)
{
    sigset_t set;
    struct sigaction on = {.sa_sigaction = on_stack, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaddset(&set, SIGRTMIN + 3);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, got);
    signal(SIGALRM, on_alarm);
    sigaction(SIGUSR2, &on, NULL);
    pthread_barrier_init(&begin_long, NULL, 3);
    pthread_barrier_init(&end_long, NULL, 3);
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    sem_id = semget(IPC_PRIVATE, 1, 0600);
    event_fd = eventfd(0, 0);
    socklen_t n = sizeof server_at;
    server_fd = socket(AF_INET, SOCK_STREAM, 0);
    server_at.sin_family = AF_INET;
    server_at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (pipe(pipe_fd) || bind(server_fd, (struct sockaddr *)&server_at, n) || listen(server_fd, 16) ||
        getsockname(server_fd, (struct sockaddr *)&server_at, &n))
        abort();
}

static void check(void)
{
    unsigned long before[N_JOBS];
    for (int i = 0; i < N_JOBS; i++)
        before[i] = __atomic_load_n(&jobs[i].progress, __ATOMIC_RELAXED);
    for (int i = 0; i < N_JOBS; i++) {
        for (int k = 0; k < 9000 && __atomic_load_n(&jobs[i].progress, __ATOMIC_RELAXED) == before[i]; k++)
            usleep(10000);
        if (__atomic_load_n(&jobs[i].progress, __ATOMIC_RELAXED) == before[i]) {
            printf("stuck: %s\n", jobs[i].name);
            n_bad++;
        }
    }
    puts(n_bad ? "bad" : "fine");
    fflush(stdout);
}

static void select_jobs(int argc, char **argv, const struct job *j, int *yes)
{
    *yes = argc < 2;
    for (int i = 1; i < argc; i++)
        *yes |= !strcmp(argv[i], j->name);
}

int main(int argc, char **argv)
{
    char line[64];
    set_up();
    for (int i = 0; i < N_JOBS; i++) {
        int yes;
        select_jobs(argc, argv, &jobs[i], &yes);
        if (!yes) {
            jobs[i].run = NULL;
            continue;
        }
        pthread_create(&jobs[i].id, NULL, jobs[i].run, &jobs[i]);
    }
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        if (!strcmp(line, "check\n"))
            check();
        else
            break;
    int failed = n_bad;
    is_over = 1;
    puts(failed ? "failed" : "states agree");
    fflush(stdout);
    semctl(sem_id, 0, IPC_RMID);
    _exit(failed != 0);
}
