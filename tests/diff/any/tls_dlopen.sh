# Thread-local variables of a library loaded at run time, in threads made before and after.
cat > lib.c <<'C'
static __thread int counter = 40;
int next(void) { return ++counter; }
C
cat > main.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static int (*next)(void);
static pthread_barrier_t b;
static void *early(void *arg)
{
    pthread_barrier_wait(&b), pthread_barrier_wait(&b);
    next();
    return (void *)(long)next();
}
static void *late(void *arg) { return (void *)(long)next(); }
int main(void)
{
    pthread_t t, u;
    void *x, *y;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, early, NULL);
    pthread_barrier_wait(&b);
    void *h = dlopen("./lib.so", RTLD_NOW);
    next = (int (*)(void))dlsym(h, "next");
    pthread_barrier_wait(&b);
    pthread_create(&u, NULL, late, NULL);
    pthread_join(t, &x), pthread_join(u, &y);
    printf("%ld %ld %d\n", (long)x, (long)y, next());
    return dlclose(h);
}
C
gcc -shared -fPIC -o lib.so lib.c && gcc -pthread -o main main.c -ldl || exit 1
[ "$(./main)" = "$($COTTER -q -- ./main)" ] || { echo "differs: $($COTTER -q -- ./main)"; exit 1; }
