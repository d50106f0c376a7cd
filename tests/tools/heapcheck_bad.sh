# heapcheck finds the error of each bad program: its kind, at its line, and no other.
# test-timeout: 180
. "$ROOT/tests/tools/heap/lib.sh"
n=0 failed=
for s in "$corpus"/bad/*; do
    build "$s"
    kind=$(sed -n '1s/.*error: \([a-z-]*\).*/\1/p' "$s")
    rm -f report
    $COTTER -q run heapcheck -json -o report -- "$PROG" >/dev/null 2>&1
    [ -s report ] || die "$s: no report"
    /usr/bin/python3 judge.py "$kind" "$s" report || failed=1
    n=$((n + 1))
done
[ -z "$failed" ] || exit 1
[ $n -ge 40 ] || die "only $n programs"
