# Signals reach the program exactly once, between instructions whose calls are all made; the tool sees each of them.
. "$ROOT/tests/tools/lib.sh"
tool signals
program signalled
for mode in "" "--max-trace-ins=1" "--no-link"; do
    same "signals $mode" "alarms many faults 5 users 3 seen 3 5 fatal 0
each returned
ticks 1 faults 5 users 3" "$($COTTER $mode -t "$TOOL" -- "$PROG" 2>&1 >out; cat out)"
done
same "swallowed" "alarms many faults 5 users 0 seen 3 5 fatal 0
each returned
ticks 1 faults 5 users 0" "$($COTTER -t "$TOOL" -swallow -- "$PROG" 2>&1 >out; cat out)"
$COTTER -t "$TOOL" -- "$PROG" die >out 2>err
status=$?
[ $status = 143 ] || die "status $status instead of a death by SIGTERM"
grep -q "fatal 15" err || die "$(cat err)"
