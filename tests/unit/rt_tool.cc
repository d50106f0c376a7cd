/* rt_tool.cc: the main program of rt_tool, and its threads. Its first option names the test. */
#include "rt_tool.h"
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

std::atomic<int> errors;
enum { STACK_SIZE = 256 << 10 };

/* The first function on the new thread. Until FS is set, nothing may touch TLS. */
extern "C" __attribute__((used)) void thread_main(struct thread *t)
{
    __asm__ volatile("wrfsbase %0" : : "r"(rt_thread_fs(t->rt)));
    rt_thread_enter(t->rt, (int)syscall(SYS_gettid));
    t->work(t);
    rt_thread_exit(t->rt);
    syscall(SYS_exit, 0);
}

static long bare_clone(unsigned long flags, void *stack, int *tid_word, struct thread *t)
{
    long result;
    register int *r10 __asm__("r10") = tid_word;
    register struct thread *r12 __asm__("r12") = t;
    __asm__ volatile("syscall\n"
                     "test %%rax, %%rax\n"
                     "jnz 1f\n"
                     "mov %%r12, %%rdi\n"
                     "call thread_main\n"
                     "1:"
                     : "=a"(result)
                     : "a"(SYS_clone), "D"(flags), "S"(stack), "d"(0), "r"(r10), "r"(r12)
                     : "rcx", "r11", "memory");
    return result;
}

void thread_start(struct thread *t, int id, long n, void (*work)(struct thread *))
{
    void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *t = (struct thread){rt_thread_new(), id, n, work, (char *)stack, 1};
    CHECK(t->rt && stack != MAP_FAILED);
    unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                          CLONE_CHILD_CLEARTID;
    CHECK(bare_clone(flags, t->stack + STACK_SIZE - 64, &t->tid_word, t) > 0);
}

void thread_join(struct thread *t)
{
    while (__atomic_load_n(&t->tid_word, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, &t->tid_word, 0 /* FUTEX_WAIT */, 1, 0, 0, 0);
    rt_thread_free(t->rt);
    munmap(t->stack, STACK_SIZE);
}

static __attribute__((noinline)) int throw_below(int depth)
{
    std::string guard(depth * 3 + 1, 'g');      /* something to destroy on the way */
    if (depth == 0)
        throw std::runtime_error("thrown");
    return throw_below(depth - 1) + (int)guard.size();
}

int throw_and_catch(int depth)
{
    try {
        throw_below(depth);
    } catch (const std::runtime_error &e) {
        return strcmp(e.what(), "thrown") ? -1 : depth;
    }
    return -1;
}

static const struct { const char *name; void (*run)(void); } tests[] = {
    {"threads", test_threads}, {"forks", test_forks}, {"memory", test_memory}, {"descriptors", test_descriptors},
    {"signals", test_signals}, {"flush", test_flush},
};

/* cotter -t rt_tool TEST -- program */
int main(int argc, char **argv)
{
    const char *name = argc > 3 ? argv[3] : "";
    if (!strcmp(name, "abort"))
        abort();
    if (!strcmp(name, "exit"))
        exit(33);
    rt_init();
    for (auto &test : tests) {
        if (!strcmp(test.name, name))
            test.run();
    }
    fprintf(stderr, "%s: %d errors\n", name, errors.load());
    engine_start(rt_handoff());
}
