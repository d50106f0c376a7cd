# Attach and detach, over and over, while threads are in every state: computing, in blocking calls of all kinds, in a handler on
# an alternate stack, in the vdso, forking, spawning, being created and ending. The program itself checks what it sees.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program states
tool threads_met
mkfifo in
"$PROG" <in >out 2>&1 &
pid=$!
exec 7>in
until grep -q ready out; do sleep 0.05; done
nap() { sleep "0.0$((RANDOM % 90))"; }
rounds=$((SOAK_MINUTES > 0 ? 1000 : ${ROUNDS:-5}))
for i in $(seq "$rounds"); do
    if [ $((i % 2)) = 0 ]; then
        $COTTER -pid $pid || die "attach $i failed"
    else
        $COTTER -pid $pid -t "$TOOL" || die "attach $i failed"
    fi
    nap
    leave $pid || die "detach $i failed: $(cat words)"
    kill -0 $pid 2>/dev/null || die "the program died in round $i: $(head -3 out)"
    grep -q '^55[0-4]\|^7f[0-9a-f]\{6\}-' /proc/$pid/maps && die "memory stays in round $i"
    nap
done
grep -q '^SigCgt:.*' /proc/$pid/status || die "no status"
echo check >&7
until grep -q 'fine\|^bad$' out; do sleep 0.1; done
echo end >&7
wait $pid || die "$(grep '^bad\|^stuck' out | sort | uniq -c | head -5)"
same "last words" "states agree" "$(tail -1 out)"
exit 0
