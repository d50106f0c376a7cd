/* Three threads that never end by themselves; says how often each got to spin. */
#include <pthread.h>
#include <stdio.h>
static int spun[3];
__attribute__((noinline)) void spin(int *n) { ++*n; __asm__ volatile("" ::: "memory"); }
static void *forever(void *p)
{
    for (;;)
        spin(p);
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, forever, &spun[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    printf("joined, %d %d %d\n", spun[0], spun[1], spun[2]);
    return 2;
}
