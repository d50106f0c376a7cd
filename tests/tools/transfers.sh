# INS_Delete of every kind of transfer: the program goes on behind it.
. "$ROOT/tests/tools/lib.sh"
tool transfers
program transfers
native=$("$PROG")
same natively "11 12 13 14 15 16 407" "$(echo $native)"
for mode in "" --max-trace-ins=1 --max-trace-ins=3 --no-link --strict --returns=precall --indirect=chain "--opt=none"; do
    same "untouched $mode" "$native" "$($COTTER $mode -t "$TOOL" -leave 1 -- "$PROG")"
    same "left out $mode" "111 112 113 114 115 116 107" "$(echo $($COTTER $mode -t "$TOOL" -- "$PROG"))"
done
