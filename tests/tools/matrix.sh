# Every bundled tool, in what bundled.sh leaves out: -o with %p, -top, names of routines and source lines, a bad number, SIGTERM and
# SIGKILL from outside, and attaching to a program that runs. A new tool is in here as soon as `cotter list` has it.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program sums
sums=$PROG
program known -O0
cat >waits.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static volatile long total;
static void add(int n) { total += n; }
int main(void)
{
    char *p = malloc(100);
    for (int i = 0; i < 1000; i++)
        add(i);
    free(p);
    write(1, "ready\n", 6);
    pause();
}
C
gcc -O0 -g -o waits waits.c || die "waits.c"
options_of() {
    case $1 in
    syscallpolicy) echo "-deny unlink" ;;
    funcargs) echo "-f fib,add,leaf" ;;
    itrace | champsim | memtrace | calltrace) echo "-main" ;;
    bbv) echo "-interval 10000" ;;
    esac
}
# ended TOOL SIGNAL: the program waits, the signal comes; its status is in $status.
ended() {
    rm -f out; mkfifo out
    $COTTER run "$1" $(options_of "$1") -o "e-%p" -- ./waits >out 2>err &
    pid=$!
    read -r _ <out
    kill "-$2" $pid
    wait $pid 2>/dev/null
    status=$?
}
# Where the report is in lines: does it name what ran? Traces of other things (system calls, images) cannot.
names() {
    case $1 in
    icount | bbv | champsim | catmix | opcodemix | ldstmix | regmix | jumpmix | memtrace | footprint | imageload | syscall* | heapcheck | racecheck | \
        lockstat | smcwatch | malloctrace | stackdepth | funcargs) ;;
    *) grep -q "fib\|leaf\|nest\|memory\|known.c\|prog-known" "$2" || die "$1 names no routine of the program: $(head -20 "$2")" ;;
    esac
}
while read -r t about; do
    o=$(options_of "$t")
    rm -rf r-* e-*
    $COTTER run "$t" $o -o "r-%p" -- "$PROG" >/dev/null 2>err || die "$t: status $?: $(cat err)"
    set -- r-*
    case $1 in r-[0-9]*) ;; *) die "$t -o r-%p: $(ls)" ;; esac
    [ -s "$1" ] || die "$t: the report is empty: $(cat err)"
    ! grep -qa '%p' <<<"$1" || die "$t: %p was not replaced"
    help=$($COTTER run "$t" --help)
    case $t$help in
    memtrace* | syscalltrace*) ;;                       # traces: their tables are those of -html and -c
    *" -top "*)
        $COTTER run "$t" $o -top 0 -o all -- "$PROG" >/dev/null 2>&1
        $COTTER run "$t" $o -top 1 -o one -- "$PROG" >/dev/null 2>&1
        [ "$(wc -l <one)" -le "$(wc -l <all)" ] || die "$t -top 1 is longer than -top 0"
        grep -q "^$t: " one || die "$t: no summary in the first line: $(head -3 one)"
        if [ "$(wc -l <all)" -gt 60 ]; then grep -q "more (-top 0 shows all)" one || die "$t -top 1 does not say that there is more"; fi
        # Aligned: a table's numbers end where the heading of their column does.
        ! grep -n "	" all || die "$t: tabs in a table"
        names "$t" all
        $COTTER run "$t" $o -top x -- /bin/true >/dev/null 2>err
        [ $? = 125 ] && grep -q "top" err || die "$t -top x: $(cat err)"
        ;;
    *) case $t in champsim | bbv) ;; *) names "$t" "$1" ;; esac ;;
    esac
    ended "$t" TERM
    set -- e-*
    [ $status = 143 ] && [ -s "$1" ] || die "$t: SIGTERM: status $status, $(ls): $(cat err)"
    rm -f e-*
    ended "$t" KILL
    [ $status = 137 ] || die "$t: SIGKILL: status $status"

    rm -f sums.out
    "$sums" >sums.out &
    pid=$!
    until [ -s sums.out ]; do sleep 0.01; done
    $COTTER run "$t" $o -p $pid --for=100ms -o attached 2>err || die "$t -p: status $?: $(cat err)"
    kill -0 $pid || die "$t -p: the program died"
    [ -e attached ] || die "$t -p: no report: $(cat err)"
    kill -USR1 $pid
    wait $pid 2>/dev/null
    [ $? = 7 ] && [ "$(tail -1 sums.out)" = "sums agree" ] || die "$t -p: the program went wrong: $(tail -1 sums.out)"
    rm -f attached*
done < <($COTTER list)
