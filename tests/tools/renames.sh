# Routines that stand in the trace with other registers than their own do what they do when they are called.
. "$ROOT/tests/tools/lib.sh"
tool renames
program mixed
want=$(setarch -R $COTTER -q --opt=none -t "$TOOL" -- "$PROG" 2>&1)
for mode in --opt=inline --opt=flags --opt=regalloc --opt=all "--opt=all --max-trace-ins=1" "--opt=all --max-trace-ins=5" "--opt=all --strict" "--opt=all --random-layout=3" "--opt=all --no-link"; do
    same "renames $mode" "$want" "$(setarch -R $COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
done
report=$($COTTER --opt-report -t "$TOOL" -- "$PROG" 2>&1)
for routine in bin two byte_of word_of half_of signs mixes rolls larger sets negates bit_of turns four by_constant grows is_odd; do
    case $report in *"$routine ("*"times inlined"*) ;; *) die "no word of $routine inlined in: $report" ;; esac
done
# One or two calls at each memory operand: registers are parked once for all of them.
for name in bins wants_three hashes spans; do
    tool $name
    want=$(setarch -R $COTTER -q --opt=none -t "$TOOL" -- "$PROG" 2>&1)
    for mode in "" --check-state --max-trace-ins=5 --random-layout=5 --returns=precall; do
        same "$name $mode" "$want" "$(setarch -R $COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
    done
    "$ROOT/tests/fuzz/run.sh" --seed 7 --count 2000 --modes strict --tool "$TOOL" >fuzz.log 2>&1 || die "$name: $(cat fuzz.log)"
done
