# Timeouts do not grow, however often a process is attached to and detached from within one call. The kernel itself restarts
# nanosleep with what is left: when that has ended, the other calls end, too, while rounds go on; each round would have made a
# timeout that begins anew at each stop longer, so that it would never end.
# test-timeout: 200
. "$ROOT/tests/tools/lib.sh"
program timeouts
"$PROG" 4 >out 2>&1 &
pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
rounds=0 late=0
until grep -q over out; do
    $COTTER -pid $pid 2>words || { grep -q "no such process\|has ended\|zombie" words && break; die "attach: $(cat words)"; }
    leave $pid || { grep -q "has ended\|no such process\|no longer under\|not under" words && break; die "detach: $(cat words)"; }
    rounds=$((rounds + 1))
    grep -q bad out && die "$(grep bad out)"
    grep -q 'ended nanosleep' out && late=$((late + 1))
    [ $late -lt 300 ] || die "$rounds rounds; only these have ended: $(sed -n 's/^ended //p' out | tr '\n' ' ')"
done
wait $pid || die "status $?"
same "calls that ended as they should" 12 "$(grep -c ^ended out)"
same "last line" over "$(tail -1 out)"
exit 0
