/* A value is handed over through a pipe: the read comes after the write. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int value[100], fd[2];
static void *producer(void *v)
{
    for (int i = 0; i < 100; i++) {
        value[i] = i * i;
        if (write(fd[1], "x", 1) != 1)
            return v;
    }
    return v;
}
int main(void)
{
    pthread_t t;
    char c;
    long sum = 0;
    if (pipe(fd))
        return 1;
    pthread_create(&t, 0, producer, 0);
    for (int i = 0; i < 100 && read(fd[0], &c, 1) == 1; i++)
        sum += value[i];
    pthread_join(t, 0);
    printf("%ld\n", sum);
}
