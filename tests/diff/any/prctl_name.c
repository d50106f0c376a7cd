/* prctl: names of process and threads, parent-death signal, dumpable, and that they are seen under /proc. */
#include "t.h"
#include <sys/prctl.h>

static void *body(void *arg)
{
    char name[32] = "";
    pthread_setname_np(pthread_self(), "worker");
    prctl(PR_GET_NAME, name);
    printf("thread %s\n", name);
    return NULL;
}

int main(void)
{
    char name[32] = "";
    prctl(PR_GET_NAME, name);
    printf("%s\n", name);
    prctl(PR_SET_NAME, "renamed");
    FILE *f = fopen("/proc/self/comm", "r");
    fgets(name, sizeof name, f);
    printf("%s", name);
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
    int sig = -1;
    prctl(PR_SET_PDEATHSIG, SIGUSR1), prctl(PR_GET_PDEATHSIG, &sig);
    printf("%d dumpable %d seccomp %d\n", sig, prctl(PR_GET_DUMPABLE), prctl(PR_GET_SECCOMP));
    return DONE();
}
