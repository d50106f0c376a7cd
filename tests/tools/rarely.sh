# Functions that few tools use: see rarely.cpp.
. "$ROOT/tests/tools/lib.sh"
tool rarely
program rare
for mode in "" "--max-trace-ins=1" "--no-link"; do
    same "rarely $mode" "from child
100 3 300 400 read 3 abc
E: words: one two
wrong 0" "$($COTTER -q -f $mode -t "$TOOL" -- "$PROG" 2>&1)"
done
