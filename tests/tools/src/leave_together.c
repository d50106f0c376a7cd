/* Threads that end in the same moment, the first one among them: none calls exit_group. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 4 };
static atomic_int here;

static void *leave(void *p)
{
    here++;
    while (here < N)
        ;
    syscall(SYS_exit, 0);
    return p;
}

int main(void)
{
    pthread_t t;
    for (int i = 1; i < N; i++)
        pthread_create(&t, NULL, leave, NULL);
    leave(NULL);
}
