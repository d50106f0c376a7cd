# A replayed fatal signal is one: the callbacks run, and the program's death is that of the signal.
. "$ROOT/tests/tools/lib.sh"
tool replayed
same "replayed" "fatal 15 to nowhere
fini 143
status 143" "$($COTTER -q -t "$TOOL" -- /bin/true 2>&1; echo "status $?")"
