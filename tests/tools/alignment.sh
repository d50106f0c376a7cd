# A program for which misaligned accesses fault: those of analysis routines, inlined or called, do not; its own still do.
. "$ROOT/tests/tools/lib.sh"
tool misaligned
program alignment -O1
truth=$("$PROG")
for mode in "" "--no-inline" "--max-trace-ins=1" "--no-link" "--cache-limit=128k --cache-block=64k"; do
    same "alignment $mode" "$truth
equal" "$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
done
