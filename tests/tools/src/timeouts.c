/* timeouts.c: each thread waits once, with the same timeout, in another call; it says when that has ended as it should. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int seconds;
static pthread_barrier_t all_here;
static struct timespec length(void) { return (struct timespec){seconds, 0}; }

static int limited(int fd, int option)
{
    struct timeval t = {seconds, 0};
    if (setsockopt(fd, SOL_SOCKET, option, &t, sizeof t))
        perror("setsockopt");
    return fd;
}

static int pair(int option)
{
    int two[2];
    static char bytes[4096];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, two))
        perror("socketpair");
    while (option == SO_SNDTIMEO && send(two[0], bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
    return limited(two[0], option);
}

static int listener(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(fd, (void *)&a, sizeof a.sun_family) || listen(fd, 1))        /* a name that the kernel chooses */
        perror("listen");
    return limited(fd, SO_RCVTIMEO);
}

static int is_again(long r) { return r == -1 && errno == EAGAIN; }

static int in_nanosleep(int fd) { struct timespec t = length(); return nanosleep(&t, NULL) == 0; }
static int in_poll(int fd) { return poll(NULL, 0, seconds * 1000) == 0; }
static int in_ppoll(int fd) { struct timespec t = length(); return ppoll(NULL, 0, &t, NULL) == 0; }
static int in_select(int fd) { struct timeval t = {seconds, 0}; return select(0, NULL, NULL, NULL, &t) == 0; }
static int in_epoll(int fd) { struct epoll_event e; return epoll_wait(fd, &e, 1, seconds * 1000) == 0; }
static int in_recv(int fd) { char c; return is_again(recv(fd, &c, 1, 0)); }
static int in_read(int fd) { char c; return is_again(read(fd, &c, 1)); }
static int in_send(int fd) { char c = 0; return is_again(send(fd, &c, 1, 0)); }
static int in_accept(int fd) { return is_again(accept(fd, NULL, NULL)); }
static int in_semtimedop(int id)
{
    struct sembuf down = {0, -1, 0};
    struct timespec t = length();
    return is_again(semtimedop(id, &down, 1, &t));
}
static int in_sigtimedwait(int fd)
{
    struct timespec t = length();
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 1);
    return is_again(sigtimedwait(&one, NULL, &t));
}
static int in_futex(int fd)
{
    static int word;
    struct timespec t = length();
    return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0) == -1 && errno == ETIMEDOUT;
}

static struct wait { const char *name; int (*call)(int); int fd; } waits[] = {
    {"nanosleep", in_nanosleep, 0}, {"poll", in_poll, 0}, {"select", in_select, 0}, {"ppoll", in_ppoll, 0}, {"epoll_wait", in_epoll, 0}, {"recv", in_recv, 0},
    {"read", in_read, 0}, {"send", in_send, 0}, {"accept", in_accept, 0}, {"semtimedop", in_semtimedop, 0},
    {"sigtimedwait", in_sigtimedwait, 0}, {"futex", in_futex, 0},
};
enum { N = sizeof waits / sizeof *waits };

static void *run(void *arg)
{
    struct wait *w = arg;
    pthread_barrier_wait(&all_here);
    int ok = w->call(w->fd), e = errno;
    printf("%s %s %s\n", ok ? "ended" : "bad", w->name, ok ? "" : strerror(e));
    fflush(stdout);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[N];
    int sem = semget(IPC_PRIVATE, 1, 0600);
    seconds = argc > 1 ? atoi(argv[1]) : 2;
    pthread_barrier_init(&all_here, NULL, N + 1);
    for (int i = 0; i < N; i++) {
        const char *name = waits[i].name;
        waits[i].fd = !strcmp(name, "epoll_wait") ? epoll_create1(0) : !strcmp(name, "send") ? pair(SO_SNDTIMEO)
                    : !strcmp(name, "accept") ? listener() : !strcmp(name, "semtimedop") ? sem : pair(SO_RCVTIMEO);
        pthread_create(&t[i], NULL, run, &waits[i]);
    }
    pthread_barrier_wait(&all_here);
    printf("ready\n");
    fflush(stdout);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    semctl(sem, 0, IPC_RMID);
    printf("over\n");
    return 0;
}
