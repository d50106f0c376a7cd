/* C11 threads: mtx_t, cnd_t, call_once, tss; an atomic counter of acquire and release. */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static once_flag f = ONCE_FLAG_INIT;
static int once, ready, data[10];
static atomic_int refs = 3;
static void init(void) { once = 5; }
static int work(void *v)
{
    call_once(&f, init);
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    int s = once;
    for (int i = 0; i < 10; i++)
        s += data[i];
    if (atomic_fetch_sub(&refs, 1) == 1)
        data[0] = -1;
    return s;
}
int main(void)
{
    thrd_t t[3];
    int r, sum = 0;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    for (int i = 0; i < 3; i++)
        thrd_create(&t[i], work, 0);
    mtx_lock(&m);
    for (int i = 0; i < 10; i++)
        data[i] = i;
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    for (int i = 0; i < 3; i++) {
        thrd_join(t[i], &r);
        sum += r;
    }
    printf("%d\n", sum);
}
