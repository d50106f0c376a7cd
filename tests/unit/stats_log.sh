# --stats counts indirect branches by kind, and which of them were not found; --log tells what happened, in order.
set -e
cat > p.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static __attribute__((noinline)) long a(long x) { return x + 1; }
static __attribute__((noinline)) long b(long x) { return x + 2; }
static long (*volatile table[])(long) = {a, b};
static void handler(int s) { }
int main(int argc, char **argv)
{
    long s = 0, n = atol(argv[1]);
    for (long i = 0; i < n; i++)
        s = table[i & 1](s);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    if (!fork())
        _exit(0);
    wait(NULL);
    printf("%ld\n", s);
    return 0;
}
C
gcc -O1 -o p p.c
of() { grep -o "\"$1\": [0-9]*" stats | grep -o '[0-9]*$'; }
run() { $COTTER --stats=json --stats-file=stats -- ./p $1 > /dev/null; }
run 1000; calls=$(of calls) returns=$(of returns) misses=$(($(of call_misses) + $(of return_misses)))
run 31000
for what in calls returns; do
    more=$(($(of $what) - ${!what}))
    [ $more = 30000 ] || { echo "30000 more $what are counted as $more"; exit 1; }
done
more=$(($(of call_misses) + $(of return_misses) - misses))
[ $more -lt 100 ] && [ $more -gt -100 ] || { echo "30000 more branches: $more more misses"; exit 1; }
$COTTER --log=log -- ./p 10 > out
grep -q '^\[[0-9]*\] trace 1 at 0x[0-9a-f]*: [0-9]* instructions, [0-9]* bytes$' log || { echo "no trace in the log"; exit 1; }
order=$(grep -o -e 'signal 10 code' -e 'fork: [0-9]' log | tr -d '0-9' | tr '\n' '.')
case $order in "signal  code.fork: .") ;; *) echo "log: $order"; exit 1;; esac
# Time that a system call sleeps is nobody's.
$COTTER --stats=json --stats-file=stats -- sleep 1
/usr/bin/python3 - <<'END'
import json
ticks = json.load(open("stats"))["ticks"]
assert ticks["syscall"] * 2 < sum(ticks.values()), ticks
END
