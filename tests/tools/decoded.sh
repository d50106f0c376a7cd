# The accessors of XED agree with the INS functions on every instruction of a program; elements and translated addresses.
. "$ROOT/tests/tools/lib.sh"
tool decoded
for mode in "" "--max-trace-ins=1"; do
    same "decoded $mode" "many wrong 0" "$($COTTER -q $mode -t "$TOOL" -- /bin/true 2>&1)"
done
