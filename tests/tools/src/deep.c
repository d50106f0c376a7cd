/* deep: goes down by recursion in main and in a thread; prints the stack pointer at the deepest place of each. */
#include <pthread.h>
#include <stdio.h>

static __attribute__((noinline)) void *descend(int n)
{
    volatile char frame[1000];
    frame[n % 1000] = 1;
    if (n == 0) {
        void *sp;
        __asm__ volatile("mov %%rsp, %0" : "=r"(sp));
        return sp;
    }
    void *p = descend(n - 1);
    frame[0] = 2;
    return p;
}

static void *run(void *v) { return descend(100); }

int main(void)
{
    pthread_t t;
    void *p, *q = descend(300);
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, &p);
    printf("%p %p\n", q, p);
}
