/* t.h: what nearly every test program needs. A test ends with DONE(), which prints its token. */
#ifndef TEST_T_H
#define TEST_T_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

static inline int t_done(const char *file)
{
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    printf("ok %.*s\n", (int)strcspn(name, "."), name);
    fflush(stdout);
    return 0;
}
#define DONE() t_done(__BASE_FILE__)

/* Ends the program with a message that names the place; for what must never fail in a test. */
#define CHECK(cond)                                                                        \
    do {                                                                                   \
        if (!(cond)) {                                                                     \
            printf("line %d: %s does not hold (errno %d)\n", __LINE__, #cond, errno);      \
            fflush(stdout);                                                                \
            _exit(99);                                                                     \
        }                                                                                  \
    } while (0)

/* A small generator: the same numbers in every run. */
static inline u64 t_random(u64 *state)
{
    u64 x = *state ? *state : 88172645463325252ull;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return *state = x;
}

static inline u64 t_hash(u64 h, const void *data, size_t n)
{
    const u8 *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}
#define T_HASH0 14695981039346656037ull

/* Prints from signal handlers and vforked children: one write per line, no stdio. */
static inline void t_say(const char *fmt, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    (void)!write(1, line, (size_t)n);
}

static inline void t_handle(int signo, void (*fn)(int, siginfo_t *, void *), int flags)
{
    struct sigaction sa = {.sa_sigaction = fn, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&sa.sa_mask);
    CHECK(sigaction(signo, &sa, NULL) == 0);
}

/* How a child ended, in words that do not depend on its pid. */
static inline void t_print_status(const char *what, int status)
{
    if (WIFEXITED(status))
        printf("%s: exit %d\n", what, WEXITSTATUS(status));
    else if (WIFSIGNALED(status))
        printf("%s: signal %d\n", what, WTERMSIG(status));
    else
        printf("%s: status %#x\n", what, status);
    fflush(stdout);
}

static inline void t_wait(const char *what, pid_t pid)
{
    int status;
    CHECK(pid > 0);
    while (waitpid(pid, &status, 0) < 0)
        CHECK(errno == EINTR);
    t_print_status(what, status);
}

static inline u64 t_now_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}
#endif
