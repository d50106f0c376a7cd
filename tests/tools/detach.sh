# After PIN_Detach the program goes on natively, with its threads and signals.
. "$ROOT/tests/tools/lib.sh"
tool leaves
leaves=$TOOL
for p in threads signalled loads; do
    program $p
    want=$("$PROG" 2>&1)
    status=$?
    got=$($COTTER -t "$leaves" -- "$PROG" 2>err)
    [ $? = $status ] || die "$p: another status; $(cat err)"
    same "$p" "$want" "$got"
    same "$p" "detached 1" "$(cat err)"
done
