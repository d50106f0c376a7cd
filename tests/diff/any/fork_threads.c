/* fork in a program whose other threads allocate and compute; the child has one thread and works on.
 * test-follow: yes */
#include "t.h"

static volatile int stop;
static void *busy(void *arg)
{
    while (!stop)
        free(malloc(100));
    return NULL;
}
static void *in_child(void *arg) { return (void *)((long)arg * 2); }

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&t[i], NULL, busy, NULL) == 0);
    for (int i = 0; i < 20; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            pthread_t c;
            void *ret = NULL;
            char *p = malloc(1000);
            memset(p, 1, 1000);
            if (pthread_create(&c, NULL, in_child, (void *)20) != 0)
                _exit(1);
            pthread_join(c, &ret);
            _exit((int)(long)ret + p[999]);
        }
        t_wait("child", pid);
    }
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return DONE();
}
