/* vforks.c: a thread that nearly always waits for a vfork child, and one that sleeps. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static void *sleeps(void *arg)
{
    for (;;)
        usleep(1000);
    return NULL;
}
int main(void)
{
    pthread_t t;
    int bad = 0, status;
    pthread_create(&t, NULL, sleeps, NULL);
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < 16; i++) {
        pid_t p = vfork();
        if (p == 0) {
            usleep(250000);
            _exit(i);
        }
        bad += waitpid(p, &status, 0) != p || !WIFEXITED(status) || WEXITSTATUS(status) != i;
    }
    puts(bad ? "children lost" : "all children seen");
    return bad;
}
