# Counters in memory of the tool's that emitted code does not reach are exact, also when there are more than can be kept near, and
# when a routine that may write anywhere stands in a trace.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
tool far
for level in none schedule all; do
    same "--opt=$level" "equal" "$($COTTER --opt=$level -t "$TOOL" -- perl -e 1 2>&1)"
done
same "a routine that may write anywhere" "equal" "$($COTTER -t "$TOOL" -any 1 -- perl -e 1 2>&1)"
