# Probe mode: the functions for threads run on each thread that is there, once, at the attach and at the detach, whatever it is doing;
# the threads go on as they were: they check what they see themselves.
# test-timeout: 120
. "$ROOT/tests/tools/lib.sh"
tool probes
program busy
mkfifo in
"$PROG" <in >out 2>>err &
pid=$!
exec 7>in
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
questions=0
goes_on() {
    questions=$((questions + 1))
    echo >&7
    until [ "$(grep -c moving out)" = $questions ]; do
        kill -0 $pid 2>/dev/null || die "$1: it died: $(tail -3 out)"
        grep -q '^stuck\|^bad' out && die "$1: $(grep '^stuck\|^bad' out | head -3)"
        sleep 0.02
    done
}
for i in $(seq "${ROUNDS:-8}"); do
    : >err
    $COTTER -p $pid -t "$TOOL" -what threads 2>words || die "round $i: attach: $(cat words)"
    sleep "0.0$((RANDOM % 90))"
    goes_on "round $i, with the tool"
    leave $pid || die "round $i: detach: $(cat words)"
    grep '^55[0-4]' /proc/$pid/maps && die "round $i: memory stays"
    goes_on "round $i, natively"
    read -r _ n _ m _ twice <<<"$(tr -d , <err)"
    [ "${n:-0}" -ge 10 ] && [ "${m:-0}" -ge 10 ] && [ "$twice" = 0 ] || die "round $i: $(cat err)"       # one more comes and goes
done
blocked() { cat /proc/$pid/task/*/status 2>/dev/null | grep -c '^SigBlk:.*8000000$'; }      # SIGWINCH alone
same "nobody blocks the signal" 0 "$(blocked)"
$COTTER -p $pid -t "$TOOL" -what threads -name mask 2>words || die "mask: attach: $(cat words)"
[ "$(blocked)" -ge 9 ] || die "$(blocked) threads block what the tool has asked them to"
exit 0
