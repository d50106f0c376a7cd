# A tool changes the command with which a child is run, lets one run natively, and leaves one as it is.
. "$ROOT/tests/tools/lib.sh"
tool follows
pin=$($COTTER --pin-root)/pin
run() { $COTTER -q -f -t "$TOOL" -pin "$pin" -- sh -c "/bin/echo $1; exit 0" 2>&1; }
same "another command" "changed
child
parent" "$(run changed)"
same "natively" "native
parent" "$(run native)"
same "as ever" "other
parent
parent" "$(run other)"
