# What a program keeps in x87 is there behind callbacks for new code: those that cannot use x87, around which it is not saved, and those that do.
. "$ROOT/tests/tools/lib.sh"
tool looks
program x87_held
want=$("$PROG")
for args in "" "-x87"; do
    for mode in "" --no-inline --max-trace-bbl=1; do
        same "looks $args, $mode" "$want" "$($COTTER -q $mode -t "$TOOL" $args -- "$PROG" 2>said)"
        same "looks $args, $mode: its word" counted "$(cat said)"
    done
done
