# System calls are seen once by tools that know two ways; opcodes of repeated string instructions.
. "$ROOT/tests/tools/lib.sh"
tool straces
program reps
same "calls" "entries 4 exits 3 instructions 0 0 repeated 3 named 3 taken 5 stack 3" "$($COTTER -t "$TOOL" -- "$PROG" 2>&1)"
