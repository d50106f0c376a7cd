# Attach to a program whose threads do nothing but create threads and processes, and detach from it: a clone that was interrupted by
# the stop, to be made again, is made by the engine.
# test-timeout: 200
. "$ROOT/tests/tools/lib.sh"
program begets
mkfifo in
"$PROG" <in >out 2>&1 &
pid=$!
exec 7>in
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
for i in $(seq "${ROUNDS:-40}"); do
    $COTTER -pid $pid 2>words || die "round $i: attach failed: $(cat words; tail -3 out)"
    leave $pid || die "round $i: detach failed: $(cat words; tail -3 out)"
    kill -0 $pid 2>/dev/null || die "round $i: it died: $(tail -3 out)"
done
exec 7>&-
wait $pid || die "status $?: $(tail -3 out)"
same "last line" "all born" "$(tail -1 out)"
exit 0
