# heapcheck finds nothing in programs that have no error.
# test-timeout: 180
. "$ROOT/tests/tools/heap/lib.sh"
n=0 failed=
for s in "$corpus"/good/*; do
    build "$s"
    rm -f report
    $COTTER -q run heapcheck -json -o report -- "$PROG" >out 2>err || die "$s: status $? $(cat err)"
    /usr/bin/python3 judge.py none "$s" report || failed=1
    n=$((n + 1))
done
[ -z "$failed" ] || exit 1
[ $n -ge 40 ] || die "only $n programs"
