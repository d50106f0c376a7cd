# Threads that wait in system calls by int 0x80 are let go in the middle of them: each call goes on natively, by its own number, with
# what is left of its time, and gives what it would have given. Then they are attached to and let go once more.
. "$ROOT/tests/tools/lib.sh"
program oldleave
mkfifo in
trap 'kill -9 $pid 2>/dev/null' EXIT
want="ready read: 8 eight by slept: 0, long enough poll: 1 1 sigsuspend: -4, handled 1 end"
asleep() { for t in /proc/$pid/task/*; do [ "$(sed 's/.*) //; s/ .*//' $t/stat)" = S ] || return 1; done; }
begin() {                                       # begin COMMAND...: until all threads wait
    "$@" < in > out 2> err & pid=$!
    exec 9> in
    until grep -qs ready out; do sleep 0.02; done
    until [ "$(ls /proc/$pid/task | wc -l)" = 5 ] && asleep; do sleep 0.02; done
}
finish() {
    grep -q 55 /proc/$pid/maps && awk '$1 >= "550000000000" && $1 < "555500000000"' /proc/$pid/maps | grep -q . && die "$1: Cotter is still there"
    printf '0\n1\n2\n3\n' >&9
    exec 9>&-
    wait $pid
    same "$1: status" 0 $?
    same "$1: output" "$want" "$(echo $(cat out))"
}
begin "$PROG"
finish natively
begin $COTTER -q -- "$PROG"
timeout 60 $COTTER detach $pid || die "detach failed"
finish "let go"
begin "$PROG"
for i in 1 2 3; do
    timeout 60 $COTTER -q -pid $pid || die "attach $i failed"
    asleep
    timeout 60 $COTTER detach $pid || die "detach $i failed"
done
finish "attached to"
