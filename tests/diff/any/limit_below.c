/* A program that sets its memory limits below what it has already goes on: new code, signals, a new process; and cannot map. */
#include "t.h"
#include <math.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define F(n) static int f##n(int x) { for (int i = 0; i < (n) % 7 + 2; i++) x = (x * 31 + (n)) ^ x >> (n) % 5; return x % 3 ? x + n : x - n; }
#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define HUNDRED(m, n) TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
#define THOUSAND(m) HUNDRED(m, 1) HUNDRED(m, 2) HUNDRED(m, 3) HUNDRED(m, 4) HUNDRED(m, 5) HUNDRED(m, 6) HUNDRED(m, 7) HUNDRED(m, 8) HUNDRED(m, 9)
THOUSAND(F)
#define NAME(n) f##n,
static int (*const all[])(int) = { THOUSAND(NAME) };

static int n_signals;
static void count(int sig) { n_signals++; }

static void set(int which, rlim_t soft)
{
    struct rlimit l;
    getrlimit(which, &l);
    l.rlim_cur = soft;
    CHECK(setrlimit(which, &l) == 0);
}

static int work(int x)
{
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        x = all[i](x);
    return x;
}

int main(void)
{
    signal(SIGUSR1, count);
    set(RLIMIT_DATA, 4096);
    set(RLIMIT_AS, 4096);
    int x = work(1);
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);
    char text[64];
    snprintf(text, sizeof text, "%.3f %.3f", sin(x), exp(1));
    t_say("%d %s signals %d\n", x, text, n_signals);
    t_say("mapping: %d\n", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(work(2) & 63);
    set(RLIMIT_AS, RLIM_INFINITY);
    set(RLIMIT_DATA, RLIM_INFINITY);
    if (pid > 0)
        t_wait("child", pid);
    else
        t_say("fork: %d\n", errno);
    return DONE();
}
