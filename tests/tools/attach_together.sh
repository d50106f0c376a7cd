# Several commands at once want to attach to a process or detach from it. They take turns; the process goes on, every thread of it.
# test-timeout: 200
. "$ROOT/tests/tools/lib.sh"
program busy
mkfifo in
"$PROG" <in >out 2>&1 &
pid=$!
exec 7>in
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
for i in $(seq "${ROUNDS:-10}"); do
    rm -f words.*
    $COTTER -pid $pid 2>words.0 & all=$!
    [ $((i % 2)) = 0 ] && wait $!
    for k in 1 2 3; do
        sleep "0.00$((RANDOM % 10))"
        $COTTER detach $pid 2>words.$k & all="$all $!"
    done
    wait $all
    kill -0 $pid 2>/dev/null || die "round $i: it died: $(tail -1 out; cat words.*)"
    grep -v "not under Cotter\|at work on" words.* && die "round $i: $(cat words.*)"
    if grep -q '^550' /proc/$pid/maps; then leave $pid || die "round $i: detach failed"; fi
    grep -q '^550' /proc/$pid/maps && die "round $i: memory stays"
done
echo >&7
exec 7>&-
wait $pid
same "exit status" 7 $?
same "what it said" "$(printf 'ready\nmoving\nall agree')" "$(cat out)"
exit 0
