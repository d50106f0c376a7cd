# Calls at routines' entries and returns, arguments and results read and changed; routines replaced, the original run from
# within the replacement (also recursively: only the outermost call of a recursion goes through it twice).
. "$ROOT/tests/tools/lib.sh"
tool routines
program loads
for mode in "" "--max-trace-ins=1" "--no-link" "--random-layout=3"; do
    same "watch $mode" "malloc 1234 from main
fact 3628800
twice 1 6 8
deepest 10
2
2
269 2.5 3628800" "$($COTTER $mode -t "$TOOL" -- "$PROG" 2>err >out; grep -v unload err; cat out)"
    same "replace $mode" "2
2
36 50 3628800" "$($COTTER $mode -t "$TOOL" -mode replace -- "$PROG" 2>&1)"
    same "signature $mode" "2
2
72 7.5 3628801" "$($COTTER $mode -t "$TOOL" -mode signature -- "$PROG" 2>&1)"
done
