# Attach and detach, over and over and with random timing, on a busy server with many threads that come and go. Its client checks
# every reply. ROUNDS: how often.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program server
"$PROG" >out 2>&1 &
pid=$!
trap 'kill -9 $pid $c 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
mkfifo stop
"$PROG" client <stop >replies 2>&1 & c=$!
exec 8>stop
tools=("" "-t $ROOT/build/lib/cotter/tools/icount -o icount.out" "-t $ROOT/build/lib/cotter/tools/opcodemix -o mix.out")
nap() { [ $((RANDOM % 3)) = 0 ] || sleep "0.0$((RANDOM % 60))"; }
for i in $(seq $((SOAK_MINUTES > 0 ? 2000 : ${ROUNDS:-12}))); do
    $COTTER -pid $pid ${tools[RANDOM % 3]} || die "attach $i failed"
    nap
    leave $pid || die "detach $i failed: $(cat words)"
    kill -0 $pid 2>/dev/null || die "the server died in round $i: $(tail -3 out)"
    kill -0 $c 2>/dev/null || die "round $i: the client: $(tail -3 replies)"
    grep -q '^55[0-4]\|^7f[0-9a-f]\{6\}-' /proc/$pid/maps && die "memory stays in round $i"
    nap
    echo $i >rounds
done
exec 8>&-
wait $c || die "the client: $(tail -3 replies)"
grep -q 'all right' replies || die "the client: $(cat replies)"
[ "${SOAK_MINUTES:-0}${ROUNDS:+1}" != 0 ] && echo "$(cat rounds) rounds; $(cat replies)" >&2
exit 0
