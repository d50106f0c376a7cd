# Routines with branches, several returns and helpers do the same in the trace as called, and --opt-report says which stand there.
. "$ROOT/tests/tools/lib.sh"
tool bodies
program mixed
want=$(setarch -R $COTTER -q --opt=none -t "$TOOL" -- "$PROG" 2>&1)
for mode in --opt=inline --opt=flags --opt=all "--opt=all --max-trace-ins=1" "--opt=all --strict" "--opt=all --random-layout=3"; do
    same "branches $mode" "$want" "$(setarch -R $COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
done
report=$($COTTER --opt-report -t "$TOOL" -- "$PROG" 2>&1)
for routine in extremes sort_of early ends_in calls is_picked halve; do
    case $report in *"$routine ("*"times inlined"*) ;; *) die "no word of $routine inlined in: $report" ;; esac
done
