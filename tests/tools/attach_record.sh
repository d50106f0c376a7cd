# What the kernel has on record about a process (robust lists, rseq, bases, masks, handlers, timers, descriptors, memory) is the
# same after a detach as before the attach; and what the program itself can see is the same under Cotter and afterwards.
. "$ROOT/tests/tools/lib.sh"
program kernel_side
look=$PROG
program stays
"$PROG" >out &
pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
sleep 0.1
"$look" $pid >before || die "the kernel's record cannot be read"
grep -q 'rseq [1-9a-f]' before || grep -q 'robust [1-9a-f]' before || die "nothing is on record"
for i in 1 2 3; do
    if [ $i = 2 ]; then $COTTER -pid $pid; else $COTTER -pid $pid -t "$ROOT/build/lib/cotter/tools/icount" -o count; fi || die "attach failed"
    sleep "0.0$((RANDOM % 90))"
    grep -q '^550' /proc/$pid/maps || die "it is not attached"
    leave $pid || die "detach failed: $(cat words)"
    "$look" $pid >after
    same "round $i" "$(cat before)" "$(cat after)"
done
$COTTER -pid $pid || die "attach failed"
kill -USR1 $pid                         # it ends under Cotter
wait $pid || die "$(tail -1 out)"
same "last words" "all as it was" "$(tail -1 out)"
exit 0
