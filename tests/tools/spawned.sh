# A thread of the application's that the tool makes: its registers, its thread pointer, its callbacks, its end.
. "$ROOT/tests/tools/lib.sh"
tool spawns
program spawned
for mode in "" "--max-trace-ins=1" "--no-link" "--cache-limit=128k --cache-block=64k"; do
    got=$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)
    status=$?
    [ $status = 5 ] || die "status $status: $got"
    same "spawned $mode" "42 707070707070707 99 1
born 2 dead 2 instructions 12 code 5" "$got"
done
