/* Each thread hears of its own pipe only. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile long total;

static void *add(void *v)
{
    int *fd = v;
    char c;
    if (read(fd[0], &c, 1) == 1)
        total += fd[0]; /* RACE */
    return v;
}

int main(void)
{
    pthread_t t[2];
    int fd[2][2];
    for (int i = 0; i < 2; i++) {
        if (pipe(fd[i]) || write(fd[i][1], "x", 1) != 1)
            return 1;
        pthread_create(&t[i], NULL, add, fd[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", total > 0);
}
