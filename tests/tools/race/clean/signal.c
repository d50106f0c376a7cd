/* A thread is sent a signal: what was written before is there in its handler, and in the thread that waits for it. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int message, order, got[2];

static void handler(int s)
{
    got[0] = message;
    if (write(*(int *)&order, "x", 1) != 1)
        _exit(1);
}

static void *waits(void *v)
{
    sigset_t set;
    int sig;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigwait(&set, &sig);
    got[1] = message;
    return v;
}

static void *sleeps(void *v)
{
    for (;;)
        pause();
    return v;
}

int main(void)
{
    pthread_t a, b;
    sigset_t set;
    int fd[2];
    char c;
    if (pipe(fd))
        return 1;
    order = fd[1];
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, handler);
    pthread_create(&a, NULL, sleeps, NULL);
    pthread_create(&b, NULL, waits, NULL);
    message = 7;
    pthread_kill(a, SIGUSR1);
    pthread_kill(b, SIGUSR2);
    pthread_join(b, NULL);
    if (read(fd[0], &c, 1) != 1)
        return 1;
    printf("%d\n", got[0] + got[1]);
}
