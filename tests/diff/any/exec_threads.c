/* exec from a second thread while others run: one process with the same pid goes on.
 * test-follow: yes */
#include "t.h"

static void *spin(void *arg) { for (;;) __asm__ volatile(""); }
static void *do_exec(void *arg)
{
    char pid[20];
    sprintf(pid, "%d", getpid());
    execv("/proc/self/exe", (char *[]){"again", pid, NULL});
    _exit(99);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        printf("same pid %d main thread %d\n", atoi(argv[1]) == getpid(), getpid() == gettid());
        return DONE();
    }
    pthread_t t;
    for (int i = 0; i < 4; i++)
        pthread_create(&t, NULL, spin, NULL);
    pthread_create(&t, NULL, do_exec, NULL);
    for (;;)
        pause();
}
