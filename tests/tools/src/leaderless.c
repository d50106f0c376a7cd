/* leaderless.c: the first thread ends, another computes until SIGUSR1 comes. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile sig_atomic_t is_over;
static volatile unsigned long sum;
static void end(int sig) { is_over = 1; }
static void *computes(void *arg)
{
    while (!is_over) {
        for (int i = 0; i < 100000; i++)
            sum += (unsigned long)i;
        usleep(1000);
    }
    puts("the last thread ends");
    exit(5);
}
int main(void)
{
    pthread_t t;
    signal(SIGUSR1, end);
    puts("ready");
    fflush(stdout);
    pthread_create(&t, NULL, computes, NULL);
    pthread_exit(NULL);
}
