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
# And application threads that the tool ends.
tool ends_thread
program spins
for mode in "" "--max-trace-ins=1" "--cache-limit=128k --cache-block=64k"; do
    got=$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)
    status=$?
    [ $status = 2 ] || die "status $status: $got"
    same "ended $mode" "joined, 4 4 4
dead 4 codes 23 code 2" "$got"
done
