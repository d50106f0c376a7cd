/* a queue of blocks between threads */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct item { struct item *next; int v; };
static struct item *head;
static void *run(void *v)
{
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        if (v) {
            struct item *it = malloc(sizeof *it);
            it->v = i;
            pthread_mutex_lock(&m);
            it->next = head;
            head = it;
            pthread_cond_signal(&c);
            pthread_mutex_unlock(&m);
        } else {
            pthread_mutex_lock(&m);
            while (!head)
                pthread_cond_wait(&c, &m);
            struct item *it = head;
            head = it->next;
            pthread_mutex_unlock(&m);
            sum += it->v;
            it->v = 0;
            free(it);
        }
    }
    return (void *)sum;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
