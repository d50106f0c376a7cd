/* signalled.c: a timer interrupts a loop 200 times; faults are raised and repaired; then death by a signal. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static volatile int ticks, faults, users;
static char *page;

static void on_alarm(int sig) { ticks++; }
static void on_user(int sig) { users++; }
static void on_fault(int sig, siginfo_t *info, void *uc)
{
    faults++;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

int main(int argc, char **argv)
{
    struct sigaction a = { .sa_handler = on_alarm };
    struct itimerval t = { { 0, 500 }, { 0, 500 } }, off = { 0 };
    sigaction(SIGALRM, &a, NULL);
    a.sa_handler = on_user;
    sigaction(SIGUSR1, &a, NULL);
    a.sa_sigaction = on_fault;
    a.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &a, NULL);
    setitimer(ITIMER_REAL, &t, NULL);
    volatile unsigned long x = 0;
    while (ticks < 200)
        x = x * 3 + 1;
    setitimer(ITIMER_REAL, &off, NULL);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 5; i++) {
        mprotect(page, 4096, PROT_NONE);
        page[i] = 1;
    }
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);
    printf("ticks %d faults %d users %d\n", ticks >= 200, faults, users);
    fflush(stdout);
    if (argc > 1)
        raise(SIGTERM);
    return 0;
}
