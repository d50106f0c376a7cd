# Addresses, sizes, predicates and targets of every way to access memory, as values.out has them (each line was checked by
# hand); the same in every mode.
. "$ROOT/tests/tools/lib.sh"
tool values
program operands
for mode in "" "--max-trace-ins=1" "--no-link" "--random-layout=5" "--strict"; do
    same "values $mode" "$(cat "$ROOT/tests/tools/values.out")" "$($COTTER -q $mode -t "$TOOL" -- "$PROG")"
done
