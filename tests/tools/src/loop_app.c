/* loop_app.c: small loops, of one block and of several, left in every way: at its end, by a branch out of it, by faults that a handler
 * mends, by signals. Prints how many signals came. Arguments: microseconds between them, in three digits; whether they come, y or n.
 * The program itself does the same for all of them. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

enum { PAGES = 64, PAGE = 4096, ROUNDS = 60, LENGTH = 30000 };
static unsigned char *memory;
static volatile unsigned n_signals;
static unsigned n_faults;

static void on_alarm(int sig) { n_signals++; }

static void on_fault(int sig, siginfo_t *info, void *context)
{
    unsigned char *page = (unsigned char *)((unsigned long)info->si_addr & ~(PAGE - 1ul));
    n_faults++;
    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

/* One block; r11 is free, and every register holds something at the end. */
static unsigned long spin(unsigned long n)
{
    unsigned long a = n, b = 1;
    __asm__ volatile("1: add %0, %1\n rol $3, %1\n dec %0\n jnz 1b" : "+r"(a), "+r"(b) : : "cc");
    return b;
}

static unsigned long spin_with_flags(unsigned long n)      /* the carry goes from round to round */
{
    unsigned long a = n, b = 0x123456789abcdef;
    __asm__ volatile("clc\n1: rcl $1, %1\n dec %0\n jnz 1b" : "+r"(a), "+r"(b) : : "cc");
    return b;
}

static unsigned long spin_with_r11(unsigned long n)
{
    unsigned long a = n, b = 1;
    __asm__ volatile("xor %%r11d, %%r11d\n1: add %0, %%r11\n xor %%r11, %1\n dec %0\n jnz 1b" : "+r"(a), "+r"(b) : : "cc", "r11");
    return b;
}

static unsigned long sum_bytes(const unsigned char *p, const unsigned char *end)
{
    unsigned long sum = 0;
    __asm__ volatile("1: movzbl (%0), %%ecx\n add %%rcx, %1\n add $64, %0\n cmp %2, %0\n jb 1b" : "+r"(p), "+r"(sum) : "r"(end) : "rcx", "cc", "memory");
    return sum;
}

static unsigned long find(const unsigned char *p, unsigned char what)      /* left by the branch in its middle */
{
    unsigned long n = 0;
    __asm__ volatile("1: cmpb %2, (%1,%0)\n je 2f\n inc %0\n jmp 1b\n2:" : "+r"(n) : "r"(p), "q"(what) : "cc", "memory");
    return n;
}

/* Of several traces: the branch in its middle goes the other way in each round, and each way reads memory. */
static unsigned long wander(const unsigned char *p, const unsigned char *end)
{
    unsigned long sum = 1;
    __asm__ volatile("1: lea (%1,%1,2), %1\n mov %0, %%rcx\n shr $6, %%rcx\n movzbl (%0), %%edx\n lea 1(%1,%%rdx), %1\n test $1, %%cl\n jnz 2f\n"
                     "rol $5, %1\n 3: add $64, %0\n cmp %2, %0\n jb 1b\n jmp 4f\n"
                     "2: movzbl 32(%0), %%edx\n xor %%rdx, %1\n cmp $7, %%edx\n je 4f\n jmp 3b\n 4:"
                     : "+r"(p), "+r"(sum) : "r"(end) : "rcx", "rdx", "cc", "memory");
    return sum;
}

static void print_hex(unsigned n)      /* with the same instructions whatever it is */
{
    char text[9];
    for (int i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[n >> (28 - 4 * i) & 15];
    text[8] = '\n';
    fwrite(text, 9, 1, stdout);
}

int main(int argc, char **argv)
{
    int every = atoi(argv[1]) * (argv[2][0] == 'y');
    struct sigaction alarms = { .sa_handler = on_alarm }, faults = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
    struct itimerval t = { { 0, every }, { 0, every } }, none = { { 0, 0 }, { 0, 0 } };
    unsigned long h = 0;
    memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaction(SIGALRM, &alarms, NULL);
    sigaction(SIGSEGV, &faults, NULL);
    memory[PAGES * PAGE - 1] = 7;
    for (unsigned round = 0; round < 3; round++) {
        mprotect(memory, PAGES * PAGE, PROT_NONE);
        h = h * 31 + sum_bytes(memory, memory + PAGES * PAGE);
        mprotect(memory, PAGES * PAGE, PROT_NONE);
        h = h * 31 + wander(memory, memory + PAGES * PAGE);
    }
    setitimer(ITIMER_REAL, &t, NULL);
    for (unsigned i = 0; i < ROUNDS; i++) {
        h = h * 31 + spin(LENGTH + i);
        h = h * 31 + spin_with_flags(LENGTH + i);
        h = h * 31 + spin_with_r11(LENGTH + i);
        h = h * 31 + sum_bytes(memory, memory + PAGES * PAGE);
        h = h * 31 + find(memory, 7);
        h = h * 31 + wander(memory, memory + PAGES * PAGE);
    }
    setitimer(ITIMER_REAL, &none, NULL);
    fprintf(stderr, "%lx %u ", h, n_faults);
    print_hex(n_signals);
    return 0;
}
