/* Threads are created and end while another thread forks and a third execs children.
 * test-follow: yes */
#include "t.h"

static volatile int stop;
static int made;
static void *nothing(void *arg) { return arg; }
static void *creator(void *arg)
{
    while (!stop) {
        pthread_t t;
        if (pthread_create(&t, NULL, nothing, NULL) == 0)
            pthread_join(t, NULL), made++;
    }
    return NULL;
}
static void *spawner(void *arg)
{
    for (int i = 0; i < 10; i++)
        CHECK(system("true") == 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, creator, NULL), pthread_create(&b, NULL, spawner, NULL);
    int good = 0;
    for (int i = 0; i < 60; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(i);
        int status;
        CHECK(waitpid(pid, &status, 0) == pid);
        good += WIFEXITED(status) && WEXITSTATUS(status) == i;
    }
    pthread_join(b, NULL);
    stop = 1;
    pthread_join(a, NULL);
    printf("%d %d\n", good, made > 0);
    return DONE();
}
