/* A robust mutex whose owner dies: the next locker is told, in a thread and across processes.
 * test-follow: yes */
#include "t.h"

static pthread_mutex_t *m;
static void *body(void *arg)
{
    pthread_mutex_lock(m);
    return NULL;
}

int main(void)
{
    m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    CHECK(pthread_mutex_init(m, &attr) == 0);
    pthread_t t;
    CHECK(pthread_create(&t, NULL, body, NULL) == 0);
    pthread_join(t, NULL);
    int r = pthread_mutex_lock(m);
    printf("after a thread: %d\n", r == EOWNERDEAD);
    pthread_mutex_consistent(m);
    pthread_mutex_unlock(m);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        pthread_mutex_lock(m);
        kill(getpid(), SIGKILL);
    }
    t_wait("owner", pid);
    r = pthread_mutex_lock(m);
    printf("after a process: %d\n", r == EOWNERDEAD);
    return DONE();
}
