# Attach to a program that computes, count a while, detach: it goes on with the right results, nothing of Cotter stays in it.
. "$ROOT/tests/tools/lib.sh"
program sums
"$PROG" >sums.out &
pid=$!
until [ -s sums.out ]; do sleep 0.01; done
left() { grep -c '^55[0-4]\|^7f[0-9a-f]\{6\}-' /proc/$pid/maps; }
for i in 1 2 3; do
    $COTTER run icount -p $pid --for=200ms -o count.$i || die "cotter failed in round $i"
    kill -0 $pid 2>/dev/null || die "the program died in round $i"
    [ "$(left)" = 0 ] || die "memory stays: $(cat /proc/$pid/maps)"
    [ "$(ls /proc/$pid/task)" = $pid ] || die "a thread stays"
    n=$(sed -n 's/icount: \([0-9,]*\) instructions/\1/p' count.$i | tr -d ,)
    [ "${n:-0}" -gt 100000 ] || die "round $i: nothing was counted: $(cat count.$i)"
done
kill -USR1 $pid                         # its own handler ends it
wait $pid
same "exit status" 7 $?
same "last line" "sums agree" "$(tail -1 sums.out)"
exit 0
