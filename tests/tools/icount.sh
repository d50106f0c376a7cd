# icount counts exactly what a single-stepping debugger counts, in every mode of the engine.
. "$ROOT/tests/tools/lib.sh"
program step
step=$PROG
program mixed
truth=$("$step" "$PROG")
for mode in "" "--max-trace-ins=1" "--no-link" "--cache-limit=64k --cache-block=16k" "--random-layout=5" "--strict"; do
    got=$($COTTER -q $mode run icount -o /dev/stdout -- "$PROG")
    same "icount $mode" "icount: $truth instructions" "$got"
done
same "icount -json" "{\"instructions\": $truth, \"threads\": [$truth]}" "$($COTTER run icount -json -o /dev/stdout -- "$PROG")"
$COTTER run icount -o "r-%p" -- "$PROG"
[ "$(cat r-[0-9]*)" = "icount: $truth instructions" ] || die "-o with %p: $(ls)"
$COTTER -o first run icount -- "$PROG"
[ "$(cat first)" = "icount: $truth instructions" ] || die "cotter -o before the tool's name"
