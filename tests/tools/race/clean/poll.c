/* A worker is told to stop by a pipe that it polls and never reads; a closed pipe says that the work is done. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int stop[2], done[2], limit, result;

static void *worker(void *v)
{
    struct pollfd p = { .fd = stop[0], .events = POLLIN };
    poll(&p, 1, -1);
    for (int i = 0; i < limit; i++)
        result += i;
    close(done[1]);
    return v;
}

int main(void)
{
    pthread_t t;
    char c;
    if (pipe(stop) || pipe(done))
        return 1;
    pthread_create(&t, NULL, worker, NULL);
    limit = 10;
    if (write(stop[1], "x", 1) != 1 || read(done[0], &c, 1) != 0)
        return 1;
    printf("%d\n", result);
    result = 0;
    pthread_join(t, NULL);
}
