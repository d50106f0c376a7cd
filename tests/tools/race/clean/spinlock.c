/* a spin lock of the library */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_spinlock_t l;
static int x;
static void *run(void *v)
{
    for (int i = 0; i < 100; i++) {
        pthread_spin_lock(&l);
        x++;
        pthread_spin_unlock(&l);
    }
    return NULL;
}
__attribute__((constructor)) static void prepare(void) { pthread_spin_init(&l, 0); }

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
