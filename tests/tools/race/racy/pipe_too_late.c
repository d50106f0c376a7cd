/* The value is changed after the pipe has said that it is ready. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int value;
static int fd[2];

static void *producer(void *v)
{
    value = 1;
    if (write(fd[1], "x", 1) == 1)
        value = 2; /* RACE */
    return v;
}

int main(void)
{
    pthread_t t;
    char c;
    int seen;
    if (pipe(fd))
        return 1;
    pthread_create(&t, NULL, producer, NULL);
    if (read(fd[0], &c, 1) != 1)
        return 1;
    seen = value; /* RACE */
    pthread_join(t, NULL);
    printf("%d\n", seen > 0);
}
