# Hundreds of calls at one instruction are all made; more than a block can hold are refused in one line, with its cure.
. "$ROOT/tests/tools/lib.sh"
tool many
for n in 1 100 300; do
    $COTTER -t "$TOOL" -calls $n -- /bin/true 2>err || die "$n calls: $(cat err)"
    same "$n calls" "asked $n made $n" "$(cat err)"
done
$COTTER --opt=none -t "$TOOL" -calls 5000 -- /bin/true 2>err
status=$?
[ $status = 125 ] && [ "$(grep -c '^cotter: ' err)" = 1 ] && grep -q "raise --cache-block" err ||
    die "5000 calls: status $status: $(cat err)"
$COTTER --opt=none --cache-block=8m -t "$TOOL" -calls 1000 -- /bin/true 2>err || die "1000 calls in a large block: $(cat err)"
same "1000 calls in a large block" "asked 1000 made 1000" "$(cat err)"
$COTTER --opt=none --cache-block=8m -t "$TOOL" -calls 5000 -- /bin/true 2>err
[ $? = 125 ] && grep -q "insert fewer there" err || die "5000 calls in a large block: $(cat err)"
$COTTER -t "$TOOL" -calls 5000 -- /bin/true 2>err || die "5000 sums: $(cat err)"
same "5000 sums" "asked 5000 made 5000" "$(cat err)"
