# Odder targets: a static program, a stopped one, io_uring, a vfork parent, one whose first thread has ended, one that executes
# programs, other namespaces; many attaches in a row.
# test-timeout: 200
. "$ROOT/tests/tools/lib.sh"
start() { rm -f out; "$@" >out 2>&1 & pid=$!; until grep -q ready out 2>/dev/null || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done; }
trap 'kill -9 $pid 2>/dev/null' EXIT
cycle() {
    $COTTER -pid $pid || die "$1: attach failed"
    sleep "0.0$((RANDOM % 60))"
    leave $pid || die "$1: detach failed: $(cat words)"
    grep -q '^55[0-4]' /proc/$pid/maps && die "$1: memory stays"
}
end() { wait $pid; same "$1: status" "$2" $?; same "$1: last line" "$3" "$(tail -1 out)"; }
state() { awk '{print $3}' /proc/$pid/stat; }

program sums
sums=$PROG
gcc -O1 -static -o static "$src/sums.c" || die "no static libc"
start ./static
for i in $(seq 3); do cycle static; done
kill -USR1 $pid
end static 7 "sums agree"

start "$sums"
for i in $(seq $((SOAK_MINUTES > 0 ? 2000 : 100))); do cycle "round $i"; done
kill -STOP $pid
until [ "$(state)" = T ]; do sleep 0.02; done
$COTTER -pid $pid || die "stopped: attach failed"
same "stopped: state" T "$(state)"
$COTTER detach $pid 2>words && die "a stopped process was detached from"
grep -q "kill -CONT" words || die "stopped: $(cat words)"
kill -CONT $pid
leave $pid || die "continued: detach failed: $(cat words)"
kill -USR1 $pid
end stopped 7 "sums agree"

program uring
start "$PROG"
if kill -0 $pid 2>/dev/null; then
    for i in $(seq 5); do cycle io_uring; done
    end io_uring 0 "all bytes came"
fi

program vforks
start "$PROG"
for i in 1 2; do cycle vfork; done
end vfork 0 "all children seen"

# Another user's: the report is written by that user, to the file that the command made.
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$sums"; then
    start setpriv --reuid=65534 --regid=65534 --clear-groups "$sums"
    $COTTER run icount -p $pid --for=100ms -o "$PWD/theirs" || die "another user's: icount failed"
    grep -q '[1-9][0-9,]* instructions' theirs || die "another user's: $(cat theirs)"
    same "another user's: the report's owner" 65534 "$(stat -c %u theirs)"
    kill -USR1 $pid
    end "another user's" 7 "sums agree"
fi

# Its first thread has ended; the kernel shows its memory by another.
program leaderless
start "$PROG"
until grep -q '^State:.Z' /proc/$pid/status; do sleep 0.02; done
for i in 1 2 3; do cycle leaderless; done
$COTTER run icount -p $pid --for=100ms -o count || die "leaderless: icount failed"
grep -q '[1-9][0-9,]* instructions' count || die "leaderless: $(cat count)"
kill -USR1 $pid
end leaderless 5 "the last thread ends"

# One program executes the next. Whatever it is at when Cotter comes, the chain goes on to its end.
program execs
for delay in 0 300 2000 40000; do
    start "$PROG" $((delay > 10000 ? 20 : 300)) $delay
    for i in 1 2 3; do
        $COTTER -pid $pid 2>words && { sleep 0.05; kill -0 $pid 2>/dev/null; } && $COTTER detach $pid 2>>words
        grep -v 'executes one program\|has ended\|no such process\|not under Cotter\|no longer under\|zombie\|does not stop\|memory cannot be written' words && die "execs $delay: $(cat words)"
    done
    end "execs $delay" 9 "the chain ends"
done

if [ "$(id -u)" = 0 ] && unshare -p -f -m true 2>/dev/null; then
    rm -f out
    unshare -p -f -m --kill-child "$sums" >out 2>&1 & outer=$!
    until grep -q ready out 2>/dev/null; do sleep 0.02; done
    pid=$(pgrep -P $outer)
    for i in $(seq 3); do cycle namespaces; done
    kill -USR1 $pid
    wait $outer
    same "namespaces: last line" "sums agree" "$(tail -1 out)"
fi
exit 0
