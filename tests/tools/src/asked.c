/* asked.c: a program that a tool asks many things about: a chain of calls, a handler, vector registers with known contents. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

char text[64] = "known text";
volatile int depth, handled;
static sigjmp_buf back;

__attribute__((noinline)) void innermost(void *p) { depth++; __asm__ volatile("" : : "r"(p) : "memory"); }
__attribute__((noinline)) void middle(void) { innermost(text); depth++; }
__attribute__((noinline)) void outermost(void) { middle(); depth++; }
__attribute__((noinline)) void vectors(void)
{
    static const double v[2] = { 1.5, 2.5 };
    __asm__ volatile("movups %0, %%xmm5; fld1; .globl at_vectors; at_vectors: nop; fstp %%st(0)" : : "m"(v) : "xmm5");
}
__attribute__((noinline)) void raised(void) { depth++; }

/* Called by the C library, which has no frame pointers. */
__attribute__((noinline)) int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
__attribute__((noinline)) void sort(void) { char s[] = "unsorted"; qsort(s, 8, 1, compare); depth += s[0] == 'd'; }

static void handler(int sig, siginfo_t *info, void *uc)
{
    handled = sig * 1000 + (int)(long)info->si_addr;
    siglongjmp(back, 1);
}

int main(void)
{
    struct sigaction a = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
    sigset_t block;
    sigaction(SIGSEGV, &a, 0);
    outermost();
    sort();
    vectors();
    if (!sigsetjmp(back, 1))
        raised();
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, 0);
    kill(getpid(), SIGUSR1);
    printf("depth %d handled %d page %lu %s\n", depth, handled, getauxval(AT_PAGESZ), text);
    return 5;
}
