/* repeats.c: repeated instructions: of every length, across a page that is not there until its fault is handled, and under a
 * timer. `repeats N y`: N microseconds between its signals; `repeats N n`: none. Apart from the signals both take as many
 * instructions. Prints how many faults and signals came. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <stdlib.h>

enum { PAGE = 4096, SIZE = 64 * PAGE };
static char from[SIZE];
static volatile unsigned n_signals, n_faults;
static char *to;

static void on_signal(int sig) { n_signals++; }
static void on_fault(int sig, siginfo_t *info, void *context)
{
    n_faults++;
    mprotect((void *)((unsigned long)info->si_addr & -PAGE), PAGE, PROT_READ | PROT_WRITE);
}

static void copy(unsigned long n)
{
    void *d = to, *s = from;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

static void fill(unsigned long n, unsigned long with)
{
    void *d = to;
    __asm__ volatile("rep stosq" : "+D"(d), "+c"(n) : "a"(with) : "memory");
}

static int compare(unsigned long n)
{
    const void *d = to, *s = from;
    unsigned char same;
    __asm__ volatile("cmp %%rcx, %%rcx; repe cmpsb; sete %0" : "=r"(same), "+D"(d), "+S"(s), "+c"(n) : : "memory");
    return same;
}

static void print(unsigned v)
{
    char text[9];
    for (int i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[v >> (28 - 4 * i) & 15];
    text[8] = '\n';
    write(1, text, 9);
}

int main(int argc, char **argv)
{
    long us = atol(argv[1]);
    struct sigaction alarm = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    us *= argv[2][0] == 'y';
    struct itimerval often = {{0, us}, {0, us}}, never = {{0, 0}, {0, 0}};
    to = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaction(SIGALRM, &alarm, NULL);
    sigaction(SIGSEGV, &fault, NULL);
    for (int i = 0; i < SIZE; i++)
        from[i] = (char)(i * 7);
    copy(SIZE);
    print(n_faults);
    for (unsigned long n = 0; n < 40; n++) {
        copy(n);
        fill(n, n);
    }
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 400; i++) {
        fill(SIZE / 8, (unsigned long)i);
        copy(SIZE - 3);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    copy(SIZE);
    print((unsigned)compare(SIZE));
    print(n_signals);
    return 0;
}
