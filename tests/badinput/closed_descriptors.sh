# Started without stdin, stdout or stderr: the program runs as natively and gets no strange descriptors.
. "$ROOT/tests/badinput/lib.sh"
for fd in 0 1 2; do
    eval "(exec $fd>&-; exec ls /proc/self/fd) > native 2>/dev/null" ; a=$?
    eval "(exec $fd>&-; exec $COTTER -q -- ls /proc/self/fd) > under 2>/dev/null"; b=$?
    [ $a -eq $b ] || { echo "without $fd: status $b, native $a"; exit 1; }
done
(exec 0<&- 1>&- 2>&-; exec $COTTER -q -- /bin/true); [ $? -eq 0 ] || { echo "without all three"; exit 1; }
