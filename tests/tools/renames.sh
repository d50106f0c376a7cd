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
# One kind of call at each memory operand: a register is parked once for all of them.
tool bins
want=$(setarch -R $COTTER -q --opt=none -t "$TOOL" -- "$PROG" 2>&1)
same "bins" "$want" "$(setarch -R $COTTER -q -t "$TOOL" -- "$PROG" 2>&1)"
same "bins, precise" "$want" "$(setarch -R $COTTER -q --check-state -t "$TOOL" -- "$PROG" 2>&1)"
