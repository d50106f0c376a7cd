# cotter detach leaves a process with probes as it was: no probe, no memory, no base register of the tool's; its last words are
# said; it can be had again, by probes or by the engine. While a thread is in the tool's code, its memory stays.
# test-timeout: 120
. "$ROOT/tests/tools/lib.sh"
tool probes
program kernel_side
look=$PROG
program probe_target
"$PROG" 1000000000000 busy 2>>err &             # it aborts when a result is wrong
pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
until [ "$(ls /proc/$pid/task | wc -l)" = 5 ]; do sleep 0.02; done
bases() { "$look" $pid | grep -v "^  [0-9a-f]*-[0-9a-f]* "; }      # all that the kernel has on record but the memory map
text() { gdb -q -nx -p $pid -batch -ex 'x/2gx work' 2>/dev/null | grep work; }
alive() { kill -0 $pid 2>/dev/null || die "$1: it died"; }
native() {
    alive "$1"
    grep '^55[0-4]\| rwxp ' /proc/$pid/maps && die "$1: memory stays"
    same "$1: threads" 5 "$(ls /proc/$pid/task | wc -l)"
    same "$1: bases" "$before" "$(bases)"
    same "$1: code" "$code" "$(text)"
}
before=$(bases)
code=$(text)
[ "$before" ] || die "no bases on record"
for what in count after insert after count; do
    : >err
    $COTTER -p $pid -t "$TOOL" -what $what -name work 2>words || die "$what: attach: $(cat words)"
    grep -q '^550' /proc/$pid/maps || die "$what: nothing is there"
    sleep "0.0$((RANDOM % 90))"
    leave $pid || die "$what: detach: $(cat words)"
    native "$what"
    same "$what: last words" "work called often, detached 1" "$(cat err)"
done
$COTTER run icount -p $pid --for=100ms -o count || die "icount failed"
grep -q '[1-9][0-9,]* instructions' count || die "icount: $(cat count)"
native icount
$COTTER -p $pid -t "$TOOL" -what block -name work 2>words || die "block: attach: $(cat words)"
leave $pid && die "detached while a thread is in the tool's code"
grep -q "probes are removed.*still in the tool's code" words || die "block: $(cat words)"
alive block
touch go
for _ in $(seq 20); do $COTTER detach $pid 2>words && break; done
native block
kill $pid
wait $pid
$COTTER -t "$TOOL" -what count -name nanosleep -- sleep 60 &    # started with probes
pid=$!
until leave $pid; do grep -q 'not under\|being started\|no thread' words || die "started: $(cat words)"; sleep 0.05; done
alive started
grep '^55[0-4]\| rwxp ' /proc/$pid/maps && die "started: memory stays"
exit 0
