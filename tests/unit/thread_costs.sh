# What a thread costs: at most 64 KiB resident beyond the program's own, also after signals and system calls; 5000 of them
# live at once. And threads that stay in translated code never come to the dispatcher, so there is nothing to wait for.
set -e
cat > rss.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_barrier_t ready, done;
static volatile int handled;
static void handler(int s) { __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED); }
static long rss_kb(void)
{
    long a, b;
    FILE *f = fopen("/proc/self/statm", "r");
    if (fscanf(f, "%ld %ld", &a, &b) != 2)
        abort();
    fclose(f);
    return b * (sysconf(_SC_PAGESIZE) / 1024);
}
static void *thread(void *p)
{
    char text[64];
    snprintf(text, sizeof text, "%p %f", p, 1.5);
    pthread_kill(pthread_self(), SIGUSR1);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&done);
    return NULL;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    pthread_t *t = calloc((size_t)n, sizeof *t);
    pthread_attr_t a;
    signal(SIGUSR1, handler);
    pthread_barrier_init(&ready, NULL, (unsigned)n + 1);
    pthread_barrier_init(&done, NULL, (unsigned)n + 1);
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 128 * 1024);
    long before = rss_kb();
    for (int i = 0; i < n; i++)
        if (pthread_create(&t[i], &a, thread, NULL))
            return 1;
    pthread_barrier_wait(&ready);
    long grown = rss_kb() - before;
    pthread_barrier_wait(&done);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    printf("%ld %d\n", grown, handled);
    return 0;
}
C
gcc -O1 -pthread -o rss rss.c
check() {
    n=$1; shift
    native=$(./rss $n) here=$($COTTER "$@" -- ./rss $n)
    [ "${native#* }" = $n ] && [ "${here#* }" = $n ] || { echo "$n threads: natively $native, here $here"; exit 1; }
    each=$(((${here% *} - ${native% *}) / n))
    [ $each -le 64 ] || { echo "$n threads cost $each KiB each ($native, $here)"; exit 1; }
}
check 1000
check 1000 --max-trace-ins=1
check 5000

cat > turns.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long n;
static __attribute__((noinline)) long a(long x) { return x * 3 + 1; }
static __attribute__((noinline)) long b(long x) { return x ^ x >> 3; }
static long (*volatile table[])(long) = {a, b, a, b, b};
static void *work(void *p)
{
    long s = (long)p;
    for (long i = 0; i < n; i++)
        s = table[i % 5](s);
    return (void *)s;
}
int main(int argc, char **argv)
{
    pthread_t t[4];
    void *r;
    n = atol(argv[1]);
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], &r), printf("%ld\n", (long)r);
    return 0;
}
C
gcc -O1 -pthread -o turns turns.c
entries() { $COTTER --stats=json --stats-file=stats -- ./turns $1 > out; ./turns $1 | cmp - out; grep -o '"dispatches": [0-9]*' stats | grep -o '[0-9]*$'; }
few=$(entries 20000)
many=$(entries 2000000)
[ $many -lt $((few + few / 2)) ] || { echo "entries of the dispatcher: $few, with a hundred times the work $many"; exit 1; }

# Threads that come, get a signal and go leave nothing behind.
cat > churn.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
static void handler(int s) { }
static void *thread(void *p) { raise(SIGUSR1); return p; }
int main(int argc, char **argv)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    for (int i = atoi(argv[1]); i; i--)
        pthread_create(&t, NULL, thread, NULL), pthread_join(t, NULL);
    return 0;
}
C
gcc -O1 -pthread -o churn churn.c
heap() { $COTTER --stats=json --stats-file=stats -- ./churn $1; grep -o '"heap": [0-9]*' stats | grep -o '[0-9]*$'; }
few=$(heap 300)
many=$(heap 3000)
[ $many -lt $((few + 300000)) ] || { echo "engine memory: $few bytes after 300 threads, $many after 3000"; exit 1; }
