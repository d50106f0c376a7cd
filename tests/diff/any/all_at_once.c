/* All at once, in one process: threads that rewrite their code, libraries that come and go, forks, vforks, threads that end, mappings
 * that move, and a timer at 5 kHz whose handler runs generated code, faults and jumps out of its own faults.
 * test-schemes: yes
 * test-timeout: 120 */
#include "t.h"
#include <dlfcn.h>
#include <spawn.h>
#include <sys/time.h>

enum { ROUNDS = 60 };
extern char **environ;
static __thread sigjmp_buf *volatile out;
static volatile int ticks;
static u8 *handler_code;

static void write_code(u8 *p, int n) { p[0] = 0xb8, memcpy(p + 1, &n, 4), p[5] = 0xc3; }       /* mov $n, %eax; ret */
static int run_code(u8 *p) { return ((int (*)(void))p)(); }

static u8 *page(void)
{
    u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static void on_fault(int sig) { siglongjmp(*out, 1); }

static void fault(void)
{
    sigjmp_buf here, *before = out;
    if (!sigsetjmp(here, 1)) {
        out = &here;
        *(volatile int *)16 = 1;
    }
    out = before;
}

static void on_tick(int sig)
{
    int n = ++ticks;
    write_code(handler_code, n);
    CHECK(run_code(handler_code) == n);
    fault();
}

static void *rewrites(void *unused)
{
    u8 *p = page();
    long sum = 0;
    for (int i = 0; i < ROUNDS * 200; i++) {
        write_code(p + i % 64, i);
        sum += run_code(p + i % 64) == i;
        if (i % 500 == 0)
            fault();
    }
    return (void *)sum;
}

static void *loads(void *unused)
{
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        void *h = dlopen(i % 2 ? "libutil.so.1" : "libresolv.so.2", RTLD_NOW);
        sum += h != NULL;
        if (h)
            dlclose(h);
    }
    return (void *)sum;
}

static void *nothing(void *p) { return p; }

static void *multiplies(void *unused)
{
    long sum = 0;
    for (int i = 0; i < ROUNDS / 4; i++) {
        int status = 0;
        pid_t pid = fork();
        if (pid == 0) {
            u8 *p = page();
            write_code(p, i);
            _exit(run_code(p));
        }
        while (waitpid(pid, &status, 0) < 0)
            CHECK(errno == EINTR);
        sum += WEXITSTATUS(status) == i;
        CHECK(posix_spawn(&pid, "/bin/true", NULL, NULL, (char *[]){"true", NULL}, environ) == 0);
        while (waitpid(pid, &status, 0) < 0)
            CHECK(errno == EINTR);
        sum += status == 0;
        pthread_t t;
        void *r;
        CHECK(pthread_create(&t, NULL, nothing, (void *)1) == 0 && pthread_join(t, &r) == 0);
        sum += (long)r;
    }
    return (void *)sum;
}

static void *moves(void *unused)
{
    long sum = 0;
    for (int i = 0; i < ROUNDS * 5; i++) {
        u8 *p = page();
        write_code(p, i);
        sum += run_code(p) == i;
        u8 *q = mremap(p, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, page());
        sum += run_code(q) == i;
        mprotect(q, 4096, PROT_READ | PROT_EXEC);
        sum += run_code(q) == i;
        munmap(q, 4096);
    }
    return (void *)sum;
}

int main(void)
{
    void *(*const work[])(void *) = {rewrites, rewrites, loads, multiplies, moves};
    enum { N = sizeof work / sizeof *work };
    pthread_t t[N];
    struct itimerval it = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
    handler_code = page();
    signal(SIGSEGV, on_fault);
    struct sigaction sa = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    sigset_t tick;
    sigemptyset(&tick), sigaddset(&tick, SIGALRM);
    sigaction(SIGALRM, &sa, NULL);
    pthread_sigmask(SIG_BLOCK, &tick, NULL);              /* one handler at a time: this thread's */
    for (int i = 0; i < N; i++)
        CHECK(pthread_create(&t[i], NULL, work[i], NULL) == 0);
    pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
    setitimer(ITIMER_REAL, &it, NULL);
    for (int i = 0; i < N; i++) {
        void *r;
        CHECK(pthread_join(t[i], &r) == 0);
        printf("%d: %ld\n", i, (long)r);
    }
    while (ticks < 100)
        pause();
    setitimer(ITIMER_REAL, &off, NULL);
    return DONE();
}
