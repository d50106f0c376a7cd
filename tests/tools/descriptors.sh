# The tool's descriptors are not among those that the program finds in /proc/self/fd, and it cannot close them.
. "$ROOT/tests/tools/lib.sh"
tool keeps_open
program lists_fds
want=$("$PROG"; echo "status $?")
got=$($COTTER -q -t "$TOOL" -- "$PROG"; echo "status $?")
same "listed" "$want" "$got"
same "the tool's file" "open to the end, 4" "$(cat kept.out)"
case $got in *"status 4") ;; *) die "$got" ;; esac
