# A busy program, whose threads come and go, is attached to with one tool after the other, and left by the command or by the tool's own
# PIN_Detach, which all its threads ask for at once. ROUNDS: how often.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program busy
tool leaves_all
mkfifo in
"$PROG" <in >out 2>err &
pid=$!
exec 7>in
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
questions=0
goes_on() {
    questions=$((questions + 1))
    echo >&7
    until [ "$(grep -c moving out)" = $questions ]; do
        kill -0 $pid 2>/dev/null || die "$1: it died: $(tail -3 out err)"
        grep -q '^stuck\|^bad' out && die "$1: $(grep '^stuck\|^bad' out | head -3)"
        sleep 0.01
    done
}
is_native() { grep -q '^55[0-4]\|^7f[0-9a-f]\{6\}-' /proc/$pid/maps && die "$1: memory stays"; }
tools=($(ls "$ROOT/build/lib/cotter/tools" | grep -v "syscallpolicy\|heapcheck"))      # one wants rules, the other leaves its heap
asked=0
for i in $(seq "${ROUNDS:-9}"); do
    name=${tools[(i * 7) % ${#tools[@]}]}
    if [ $((i % 3)) = 0 ]; then
        $COTTER -p $pid -t "$TOOL" || die "round $i: attach failed"
        name=PIN_Detach
        asked=$((asked + 1))
    else
        $COTTER -pid $pid -t "$ROOT/build/lib/cotter/tools/$name" >words 2>&1 || die "round $i: $name: $(cat words)"
        sleep "0.0$((RANDOM % 90))"
        leave $pid || die "round $i: $name: detach failed: $(cat words)"
    fi
    is_native "round $i: $name"
    goes_on "round $i: $name"
done
same "detach functions" $asked "$(grep -c '^detached once, many threads' err)"
exec 7>&-
wait $pid
same "exit status" 7 $?
same "last line" "all agree" "$(tail -1 out)"
exit 0
