/* server.c: a server with a thread for each connection and a pool of workers behind them; and, `server client`, its client: several
 * threads that ask, check every reply, and come with a new connection after each few questions. The client ends with stdin. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { WORKERS = 6, CLIENTS = 4, QUESTIONS = 20, MAX = 4096 };
struct question { uint64_t seed, n; };
struct reply { uint64_t seed, sum; double mean; uint32_t size; char text[MAX]; };

static void die(const char *what)
{
    printf("%s: %s\n", what, strerror(errno));
    fflush(stdout);
    _exit(1);
}

static void work(const struct question *q, struct reply *r)
{
    uint64_t x = q->seed | 1, sum = 0;
    double mean = 0;
    r->size = 1 + (uint32_t)(q->seed % MAX);
    for (uint64_t i = 0; i < q->n; i++) {
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        sum += x >> 33;
        mean += (double)(x >> 40) / (double)(i + 1);
    }
    for (uint32_t i = 0; i < r->size; i++)
        r->text[i] = (char)(x >> (i % 57)) ^ (char)i;
    r->seed = q->seed, r->sum = sum, r->mean = mean;
}

static bool whole(ssize_t (*f)(int, void *, size_t), int fd, void *p, size_t size)
{
    for (char *at = p, *end = at + size; at < end;) {
        ssize_t n = f(fd, at, (size_t)(end - at));
        if (n <= 0)
            return false;
        at += n;
    }
    return true;
}
static ssize_t put(int fd, void *p, size_t n) { return write(fd, p, n); }

/* ---- the server ---- */
struct job { struct question *q; struct reply *r; bool is_done; struct job *next; pthread_cond_t done; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static struct job *first;

static void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!first)
            pthread_cond_wait(&some, &lock);
        struct job *j = first;
        first = j->next;
        pthread_mutex_unlock(&lock);
        work(j->q, j->r);
        pthread_mutex_lock(&lock);
        j->is_done = true;
        pthread_cond_signal(&j->done);
        pthread_mutex_unlock(&lock);
    }
}

static void *serve(void *arg)
{
    int fd = (int)(intptr_t)arg;
    struct question q;
    struct reply r;
    struct job j = {.q = &q, .r = &r, .done = PTHREAD_COND_INITIALIZER};
    while ((errno = 0, whole(read, fd, &q, sizeof q))) {
        pthread_mutex_lock(&lock);
        j.is_done = false;
        j.next = first;
        first = &j;
        pthread_cond_signal(&some);
        while (!j.is_done)
            pthread_cond_wait(&j.done, &lock);
        pthread_mutex_unlock(&lock);
        if (!whole(put, fd, &r, offsetof(struct reply, text) + r.size))
            die("server: write");
    }
    if (errno)
        die("server: read");
    close(fd);
    return NULL;
}

static int server(const struct sockaddr_un *at)
{
    pthread_t t;
    pthread_attr_t detached;
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t, NULL, worker, NULL);
    if (bind(fd, (const struct sockaddr *)at, sizeof *at) || listen(fd, 64))
        die("listen");
    puts("ready");
    fflush(stdout);
    for (;;) {
        int c = accept(fd, NULL, NULL);
        if (c < 0 || pthread_create(&t, &detached, serve, (void *)(intptr_t)c))
            die("accept");
    }
}

/* ---- the client ---- */
static atomic_ulong n_right, n_connections;
static atomic_int is_over;
static const struct sockaddr_un *where;

static void check(const struct question *q, const struct reply *r)
{
    static _Thread_local struct reply want;
    work(q, &want);
    if (r->seed != want.seed || r->sum != want.sum || r->mean != want.mean || r->size != want.size ||
        memcmp(r->text, want.text, r->size)) {
        printf("a wrong reply to %lx\n", (unsigned long)q->seed);
        fflush(stdout);
        _exit(1);
    }
    n_right++;
}

static void *ask(void *arg)
{
    static _Thread_local struct reply r;
    uint64_t seed = 77 * (uint64_t)(intptr_t)arg;
    while (!is_over) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, (const struct sockaddr *)where, sizeof *where))
            die("client: connect");
        n_connections++;
        for (int i = 0; i < QUESTIONS && !is_over; i++) {
            seed = seed * 2862933555777941757ull + 3037000493ull;
            struct question q = {seed, 100 + seed % 3000};
            if (!whole(put, fd, &q, sizeof q) || !whole(read, fd, &r, offsetof(struct reply, text)) || r.size > MAX ||
                !whole(read, fd, r.text, r.size))
                die("client: no reply");
            check(&q, &r);
        }
        close(fd);
    }
    return NULL;
}

static int client(const struct sockaddr_un *at)
{
    char line[8];
    pthread_t t[CLIENTS];
    where = at;
    for (intptr_t i = 0; i < CLIENTS; i++)
        pthread_create(&t[i], NULL, ask, (void *)(i + 1));
    while (fgets(line, sizeof line, stdin))
        ;
    is_over = 1;
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], NULL);
    printf("%lu replies, all right, over %lu connections\n", n_right, n_connections);
    return 0;
}

int main(int argc, char **argv)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "sock"};
    return argc > 1 && !strcmp(argv[1], "client") ? client(&at) : server(&at);
}
