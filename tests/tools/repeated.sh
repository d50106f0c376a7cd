# Iterations of repeated instructions that are counted and made at once are as many as those that are made one by one: of any
# length, with faults in the middle that a handler mends, and with a timer's signals, each of which adds the same number.
. "$ROOT/tests/tools/lib.sh"
tool repeated
program repeats
run() { setarch -R $COTTER -q "$@" 2>&1 | tr '\n' ' '; }
want=$(run --opt=none -t "$TOOL" -- "$PROG" 300 n)
case $want in "00000040 00000001 00000000 blocks "*) ;; *) die "$want" ;; esac
for mode in --opt=inline --opt=schedule --opt=all "--opt=all --max-trace-ins=1" "--opt=all --no-link" "--opt=all --strict" --check-state; do
    same "$mode" "$want" "$(run $mode -t "$TOOL" -- "$PROG" 300 n)"
done
iterations() { echo "$1" | sed 's/.*repeated //'; }
total() { echo "$1" | sed 's/.*instructions \([0-9]*\) .*/\1/'; }
each=
for us in 200 100 300; do
    want=$(run --opt=all -t "$TOOL" -- "$PROG" $us n)
    got=$(run --opt=all -t "$TOOL" -- "$PROG" $us y)
    n=$((0x$(echo "$got" | cut -d' ' -f3)))
    [ $n -gt 0 ] || die "no signal came: $got"
    same "iterations with $n signals" "$(iterations "$want")" "$(iterations "$got")"
    more=$(($(total "$got") - $(total "$want")))
    [ $((more % n)) = 0 ] || die "$n signals add $more instructions"
    same "instructions of a signal" "${each:=$((more / n))}" $((more / n))
done
exit 0
