/* rt_calls.cc: what the tool's libc does to the process: memory, descriptors, signals, the end. */
#include "rt_tool.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

static bool is_private(const void *p)
{
    return (uint64_t)p >= PRIV_BRK && (uint64_t)p < PRIV_HI;
}

static void check_malloc(void)
{
    std::vector<char *> blocks;
    mallopt(M_MMAP_THRESHOLD, 1 << 16);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 200; i++) {
            size_t size = 70000 + (size_t)rand() % 1000000;
            char *p = (char *)malloc(size);
            CHECK(is_private(p));
            p[0] = p[size - 1] = 1;
            blocks.push_back(p);
        }
        for (size_t i = 0; i < blocks.size(); i++) {
            free(blocks[i]);
            blocks[i] = blocks.back();
            blocks.pop_back();
        }
    }
    for (char *p : blocks)
        free(p);
}

static void check_mremap(void)
{
    char *p = NULL;
    size_t size = 1000;
    for (int i = 0; i < 60; i++, size = size * 5 / 4) {
        p = (char *)realloc(p, size);
        CHECK(is_private(p));
        p[size - 1] = 1;
    }
    free(p);
}

/* Pages that went back through sbrk must come again as zero. */
static void check_trim(void)
{
    char *p = (char *)malloc(60000);
    memset(p, 1, 60000);
    free(p);
    malloc_trim(0);
    p = (char *)calloc(1, 60000);
    size_t bad = 0;
    for (size_t i = 0; i < 60000; i++)
        bad += p[i] != 0;
    CHECK(bad == 0);
    free(p);
}

void test_memory(void)
{
    uint64_t highest = 0;
    check_malloc();
    check_mremap();
    check_trim();
    for (int i = 0; i < 10000; i++) {
        void *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        highest = (uint64_t)p > highest ? (uint64_t)p : highest;
        munmap(p, 1 << 20);
    }
    CHECK(highest < PRIV_MMAP + (1ull << 32));      /* addresses are used again */
}

void test_descriptors(void)
{
    int ends[2];
    FILE *f = fopen("/dev/null", "r");
    CHECK(f && fileno(f) > 200 && rt_fd_is_private(fileno(f)) && rt_fd_next(0) == fileno(f));
    CHECK(pipe(ends) == 0 && ends[0] > 200 && ends[1] > 200);
    CHECK(rt_fd_next(fileno(f) + 1) == ends[0] && rt_fd_next(ends[1] + 1) == -1);
    CHECK(fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
    close(ends[0]);
    close(ends[1]);
    fclose(f);
    CHECK(rt_fd_next(0) == -1);
}

static uint64_t kernel_mask(void)
{
    uint64_t mask = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask);
    return mask;
}

void test_signals(void)
{
    struct sigaction action = {};
    sigset_t all, before, now;
    uint64_t mask = kernel_mask();
    action.sa_handler = [](int) {};
    CHECK(sigaction(SIGUSR1, &action, NULL) == -1 && errno == EPERM);
    CHECK(signal(SIGUSR1, SIG_IGN) == SIG_ERR);
    sigfillset(&all);
    CHECK(sigprocmask(SIG_BLOCK, &all, &before) == 0 && kernel_mask() == mask);
    CHECK(sigprocmask(SIG_SETMASK, &before, &now) == 0 && sigismember(&now, SIGUSR1));
}

void test_flush(void)
{
    atexit([] { fprintf(stderr, "handler\n"); });
    printf("tool ");
    rt_exit_flush();
    rt_exit_flush();
    printf("alive ");
}
