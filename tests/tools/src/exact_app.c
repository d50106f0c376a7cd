/* exact_app.c: instructions whose number is known, executed under difficulties. Only work_* is counted; each counted part
 * is assembly, so that the numbers do not depend on a compiler.
 *     work_loop:   4 n + 2, interrupted by a timer all the while
 *     work_fault:  5, and the third once more for each fault that its handler mends
 *     work_bytes:  3 + n iterations of a repeated instruction (each counts) */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

__asm__(".text\n.globl work_loop, work_fault, work_bytes\n"
        ".type work_loop, @function\nwork_loop: xor %eax, %eax\n1: add $3, %rax\n lea 1(%rax), %rdx\n dec %rdi\n jnz 1b\n ret\n"
        ".size work_loop, .-work_loop\n"
        ".type work_fault, @function\nwork_fault: mov $7, %eax\n add $1, %eax\n mov %eax, (%rdi)\n add (%rdi), %eax\n ret\n"
        ".size work_fault, .-work_fault\n"
        ".type work_bytes, @function\nwork_bytes: mov %rsi, %rcx\n mov $65, %eax\n rep stosb\n ret\n"
        ".size work_bytes, .-work_bytes\n");
void work_loop(long n);
int work_fault(int *at);
void work_bytes(char *at, long n);

static char *page;
static volatile int ticks, faults;
static void on_fault(int sig) { faults++; mprotect(page, 4096, PROT_READ | PROT_WRITE); }
static void on_tick(int sig) { ticks++; }

static void *thread(void *n)
{
    for (int i = 0; i < 100; i++)
        work_loop((long)n / 100);
    return NULL;
}

int main(int argc, char **argv)
{
    long n = atol(argv[1]);
    int threads = atoi(argv[2]);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, on_fault);
    signal(SIGALRM, on_tick);
    struct itimerval often = { { 0, 500 }, { 0, 500 } };
    setitimer(ITIMER_REAL, &often, NULL);
    while (ticks < 20)
        work_loop(n), n = n;
    static char bytes[1000];
    for (int i = 0; i < 20; i++) {
        mprotect(page, 4096, PROT_NONE);
        if (work_fault((int *)page) != 16)
            return 1;
        work_bytes(bytes, 100);
    }
    pthread_t t[64];
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, thread, (void *)n);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    printf("%d faults, %s\n", faults, bytes[99] == 65 ? "filled" : "not filled");
    return 0;
}
