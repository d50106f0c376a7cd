# icount counts exactly what a single-stepping debugger counts, in every mode of the engine; per image it is the same sum.
# test-timeout: 180
. "$ROOT/tests/tools/lib.sh"
program step
step=$PROG
program mixed
truth=$("$step" "$PROG")
number() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["instructions"])' "$1"; }
for mode in "" "--max-trace-ins=1" "--no-link" "--cache-limit=64k --cache-block=16k" "--random-layout=5" "--strict"; do
    $COTTER -q $mode run icount --json -o r -- "$PROG"
    same "icount $mode" "$truth" "$(number r)"
    $COTTER -q $mode run icount --json --images -o r -- "$PROG"
    same "icount --images $mode" "$truth" "$(number r)"
done
# A block that is left in the middle counts up to there: by faults that are handled, and by one that kills.
mixed=$PROG
program faults
for end in "" exit; do
    faults=$("$step" "$PROG" $end)
    for mode in "" "--max-trace-ins=1" "--no-link" "--no-inline"; do
        $COTTER -q $mode run icount --json -o r -- "$PROG" $end
        status=$?
        [ $status = $([ "$end" ] && echo 0 || echo 139) ] || die "faults $end: status $status"
        same "icount $mode of faults $end" "$faults" "$(number r)"
        $COTTER -q $mode run icount --json --images -o r -- "$PROG" $end
        same "icount --images $mode of faults $end" "$faults" "$(number r)"
    done
done
PROG=$mixed
grouped=$(printf "%d" "$truth" | sed ':a; s/\B[0-9]\{3\}\>/,&/; ta')
same text "icount: $grouped instructions" "$($COTTER run icount -o /dev/stdout -- "$PROG")"
$COTTER run icount -o "r-%p" -- "$PROG"
[ "$(cat r-[0-9]*)" = "icount: $grouped instructions" ] || die "-o with %p: $(ls)"
$COTTER -o first run icount -- "$PROG"
[ "$(cat first)" = "icount: $grouped instructions" ] || die "cotter -o before the tool's name"

# One report for each process image, none replaced: the shell, two forked and executed, one executed in the shell's place.
mkdir f && cd f && $COTTER -f run icount -o r -- bash -c '/bin/true; (/bin/true); exec /bin/true'
n=$(ls r* | wc -l)
[ "$n" -ge 4 ] && [ -e r ] || die "reports of children: $(ls)"
# A child that forks counts from its birth on.
$COTTER run icount --json -o k -- perl -e 'my $s = 0; $s += $_ for 1 .. 20000; exit if !fork; wait'
[ $(($(number k.*) * 5)) -lt "$(number k)" ] || die "a forked child counts its parent's instructions"
# What cannot be written is said before the program runs.
same "bad -o" "cotter: cannot write the report to $PWD/no/r: No such file or directory; give another file" \
    "$($COTTER run icount -o no/r -- /bin/echo ran 2>&1)"
