# Counters lie in low memory, where emitted code adds to them fastest. A program that maps something there itself has it, and no count is
# lost: sums, groups (several words at once), countdowns.
. "$ROOT/tests/tools/lib.sh"
program takes_low
want=$("$PROG")
for name in bbcount opcodemix sample blocks; do
    $COTTER build "$ROOT/bench/tools/$name.c" -o "$PWD/$name" || die "$name does not build"
    same "$name" "$want" "$(setarch -R $COTTER -q -t "$PWD/$name" -- "$PROG" 2>promoted)"
    for mode in --opt=none --indirect=hash; do
        same "$name $mode" "$want" "$(setarch -R $COTTER -q $mode -t "$PWD/$name" -- "$PROG" 2>plain)"
        same "$name: what it counts, with $mode" "$(cat plain)" "$(cat promoted)"
    done
done
