# The ways out: Ctrl-C and SIGTERM of the attached command, cotter detach from another shell, PIN_Detach; then other tracers
# can have the process, and the process can end under Cotter too.
# test-timeout: 120
. "$ROOT/tests/tools/lib.sh"
program sums
tool leaves
leaves=$TOOL
start() {
    "$PROG" >out 2>err &
    pid=$!
    until [ -s out ]; do sleep 0.02; done
}
under() { grep -q '^550' /proc/$pid/maps; }
attached() { until grep -q 'attached to' words 2>/dev/null; do sleep 0.02; done; rm words; sleep 0.2; }
is_native() {
    under && die "$1: memory stays: $(grep '^55[0-4]' /proc/$pid/maps)"
    same "$1: threads" $pid "$(ls /proc/$pid/task)"
    same "$1: signals" "$signals" "$(grep '^Sig[BIC]' /proc/$pid/status)"
}
end() {
    kill -USR1 $pid
    wait $pid
    same "$1: exit status" 7 $?
    same "$1: last line" "sums agree" "$(tail -1 out)"
}
start
trap 'kill $pid 2>/dev/null' EXIT
signals=$(grep '^Sig[BIC]' /proc/$pid/status)
for sig in INT TERM; do
    (trap - INT; exec $COTTER -v run icount -p $pid -o "count.$sig" 2>words) & c=$!
    attached
    kill -$sig $c
    wait $c || die "SIG$sig: status $?"
    is_native "SIG$sig"
    grep -q instructions "count.$sig" || die "SIG$sig: no report"
done
$COTTER -v run icount -p $pid -o count.other 2>words & c=$!
attached
leave $pid || die "detach failed: $(cat words)"
wait $c || die "the attached command did not end well"
is_native "cotter detach"
grep -q instructions count.other || die "no report"
$COTTER -p $pid -t "$leaves" || die "attach for PIN_Detach failed"
is_native "PIN_Detach"
same "PIN_Detach" "detached 1" "$(cat err)"
"$($COTTER --pin-root)/pin" -pid $pid -t "$ROOT/build/lib/cotter/tools/icount" -o count.pin || die "pin -pid failed"
under || die "pin -pid: it is not attached when the command ends"
leave $pid || die "detach after pin -pid failed: $(cat words)"
is_native "pin -pid"
grep -q instructions count.pin || die "pin -pid: no report"
for tracer in gdb strace; do
    command -v $tracer >/dev/null || continue
    case $tracer in
    gdb) gdb -q -p $pid -batch -ex 'info registers rip' >words 2>&1 ;;
    strace) timeout 1 strace -q -p $pid >words 2>&1; true ;;
    esac || die "$tracer: $(tail -3 words)"
    grep -q "not permitted" words && die "$tracer: $(cat words)"
done
is_native "tracers"
# The end of the process under Cotter: the command ends as well, and the report is there.
$COTTER -v run icount -p $pid -o count.end 2>words & c=$!
attached
end "under Cotter"
wait $c || die "the command failed when the process ended"
grep -q instructions count.end || die "no report at the end"
# PIN_Detach in a program that Cotter started.
rm out err
"$COTTER" -t "$leaves" -- "$PROG" >out 2>err &
pid=$!
until [ -s out ] && grep -q detached err; do sleep 0.02; done
while under; do sleep 0.05; done
is_native "PIN_Detach after a start"
end "after PIN_Detach"
exit 0
