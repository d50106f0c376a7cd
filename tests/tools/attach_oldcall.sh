# A process that waits in a system call by int 0x80 is attached to: the call goes on, by its own number, and so does a sleep.
. "$ROOT/tests/tools/lib.sh"
program oldwait
mkfifo in
trap 'kill -9 $pid 2>/dev/null' EXIT
"$PROG" < in > out 2>&1 & pid=$!
exec 9> in
until grep -q ready out; do sleep 0.02; done
until [ "$(awk '{print $3}' /proc/$pid/stat)" = S ]; do sleep 0.02; done
$COTTER -pid $pid || die "attach failed"
same "after the attach" ready "$(cat out)"
printf x >&9
wait $pid
same status 7 $?
same output "ready read 1 x slept 0, long enough" "$(echo $(cat out))"
