# The simulators and bug finders report however a process ends: by a signal, by exec, in followed children and forked ones; --help
# tells their options.
# test-timeout: 180
. "$ROOT/tests/tools/lib.sh"
cat > ends.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *run(void *v) { return malloc(10); }
int main(int argc, char **argv)
{
    pthread_t t;
    void *p;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, &p);
    free(p);
    if (fork() == 0)
        _exit(3);
    if (fork() == 0)
        execl("/bin/true", "true", NULL);
    wait(NULL);
    wait(NULL);
    raise(SIGTERM);
}
C
gcc -g -O1 -pthread -o ends ends.c || die "ends.c"
for t in cachesim tlbsim branchsim footprint reuse heapcheck racecheck lockstat stackdepth smcwatch; do
    rm -rf out && mkdir out
    $COTTER -q -f run $t -json -o out/%p -- ./ends 2>err
    status=$?
    [ $status -eq 143 ] || die "$t: status $status: $(cat err)"
    /usr/bin/python3 - $t <<'P' || die "$t: $(ls out)"
import json, os, sys
reports = [json.load(open("out/" + f)) for f in os.listdir("out")]
programs = sorted({os.path.basename(r["program"]) for r in reports})
assert all(r["tool"] == sys.argv[1] for r in reports)
# The two bug finders are silent about children in which they found nothing.
assert "ends" in programs and "true" in programs, programs
P
    $COTTER run $t --help 2>&1 | grep -q -- "-json" || die "$t --help"
done
