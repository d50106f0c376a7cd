/* fork from a second thread: the child's only thread is that one, with its TLS; atfork handlers run.
 * test-follow: yes */
#include "t.h"

static __thread int mine = 1;
static int prepared, in_parent, in_child;
static void prepare(void) { prepared++; }
static void parent(void) { in_parent++; }
static void child(void) { in_child++; }
static void *body(void *arg)
{
    mine = 7;
    pid_t pid = fork();
    if (pid == 0)
        _exit(mine * 10 + prepared + in_child * 2 + in_parent * 4);
    t_wait("child", pid);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_atfork(prepare, parent, child);
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
    printf("%d %d %d\n", prepared, in_parent, in_child);
    return DONE();
}
