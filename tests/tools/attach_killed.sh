# The command and its worker are killed with SIGKILL at any moment of an attach or a detach. The program goes on, natively or under
# Cotter, every thread of it; what has been left in it can be taken away, and it can be attached to again.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program busy
mkfifo in
"$PROG" <in >out 2>&1 &
pid=$!
exec 7>in
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
questions=0
threads() {                             # for a failure: name, state, CPU time, nice value, real-time priority, policy; call; tracer
    for t in /proc/$pid/task/*; do
        echo "$(awk '{print $1, $3, $14, $15, $19, $40, $41}' $t/stat) $(cat $t/syscall) $(grep TracerPid $t/status)"
    done
    ps -eo pid,ppid,stat,cls,args | grep "[c]otter .*$pid"
}
goes_on() {
    questions=$((questions + 1))
    echo >&7
    until [ "$(grep -c moving out)" = $questions ]; do
        kill -0 $pid 2>/dev/null || die "$1: it died: $(tail -3 out)"
        grep -q '^stuck\|^bad' out && die "$1: $(grep '^stuck\|^bad' out | head -3; threads)"
        sleep 0.01
    done
}
killed() {    # killed DELAY WHO COMMAND...: that many milliseconds after its start
    local delay=$1 who=$2
    shift 2
    "$@" 2>/dev/null & c=$!
    sleep "$(printf 0.%03d "$delay")"
    w=$(pgrep -P $c)
    [ $who = command ] || kill -9 $w 2>/dev/null
    [ $who = worker ] || kill -9 $c 2>/dev/null
    wait $c 2>/dev/null
    while [ "$w" ] && [ -d "/proc/$w" ]; do sleep 0.02; done
    no_launcher $pid
}
under() { grep -q '^550' /proc/$pid/maps; }
native() {
    for k in 1 2 3 4 5; do
        under || return 0
        $COTTER detach $pid >words 2>&1 || { grep -q 'broken off\|no longer under\|not under' words || die "$1: $(cat words; threads)"; sleep 0.2; }
    done
    die "$1: it stays under Cotter"
}
for i in $(seq $((SOAK_MINUTES > 0 ? 1000 : ${ROUNDS:-25}))); do
    who=$(echo both worker command | cut -d' ' -f$((RANDOM % 3 + 1)))
    killed $((RANDOM % 60)) $who $COTTER -pid $pid
    goes_on "attach, $who killed, round $i"
    if under && [ $((i % 3)) = 0 ]; then
        killed $((RANDOM % 60)) $who $COTTER detach $pid
        goes_on "detach, $who killed, round $i"
    fi
    native "round $i"
    goes_on "native again, round $i"
done
exec 7>&-
wait $pid
same "exit status" 7 $?
same "last line" "all agree" "$(tail -1 out)"
exit 0
