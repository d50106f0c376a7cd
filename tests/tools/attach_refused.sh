# What cannot be attached to is refused with its cause; whatever goes wrong half-way, the process goes on as it was.
# test-timeout: 120
. "$ROOT/tests/tools/lib.sh"
program sums
tool halting
"$PROG" >out &
pid=$!
trap 'kill $pid $tracer $other $other32 2>/dev/null' EXIT
until [ -s out ]; do sleep 0.02; done
maps=$(cat /proc/$pid/maps)
refused() {    # refused PATTERN ARGS...
    local want=$1; shift
    "$@" >words 2>&1
    [ $? = 125 ] || die "not refused: $*: $(cat words)"
    grep -q "$want" words || die "$*: expected '$want', got: $(cat words)"
}
as_it_was() {
    kill -0 $pid 2>/dev/null || die "$1: the process died"
    same "$1: maps" "$maps" "$(cat /proc/$pid/maps)"
    same "$1: threads" $pid "$(ls /proc/$pid/task)"
    grep -q '^TracerPid:.0$' /proc/$pid/status || die "$1: it is still traced"
    case $(awk '{print $3}' /proc/$pid/stat) in [tT]) die "$1: it is stopped";; esac
}
refused "no such process" $COTTER -p 4194303
refused "not 'abc'" $COTTER -p abc
refused "itself" sh -c "exec $COTTER -p \$\$"
refused "no program can be given as well" $COTTER -p $pid -- /bin/true
refused "wants a time" $COTTER -p $pid --for=soon
refused "No such file" $COTTER -p $pid -t ./nothing
refused "not under Cotter" $COTTER detach $pid
refused "wants the id" $COTTER detach
sleep 0.01 & zombie=$!
sh -c 'sleep 0.01 & exec sleep 30' & other=$!
until zombie=$(pgrep -P $other) && grep -q '^State:.Z' /proc/$zombie/status 2>/dev/null; do sleep 0.02; done
refused "zombie" $COTTER -p $zombie
[ "$(awk '{print $9}' /proc/2/stat 2>/dev/null)" ] && grep -q '(kthreadd)' /proc/2/stat && refused "kernel thread" $COTTER -p 2
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
    strace -qq -o /dev/null -p $other & tracer=$!
    until ! grep -q '^TracerPid:.0$' /proc/$other/status; do sleep 0.02; done
    refused "traces it already" $COTTER -p $other
    kill $tracer
fi
if gcc -m32 -o bits32 "$src/sums.c" 2>/dev/null && { ./bits32 >out32 & other32=$!; sleep 0.1; kill -0 $other32 2>/dev/null; }; then
    refused "not a 64-bit x86 program" $COTTER -p $other32
    kill $other32
fi
$COTTER -pid $pid || die "attach failed"
refused "under Cotter already; cotter detach $pid" $COTTER -p $pid
leave $pid || die "detach failed: $(cat words)"
# Users, capabilities and the kernel's own rule; the last is played, since not every kernel has it.
nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" = 0 ] && $nobody $COTTER --version >/dev/null 2>&1; then
    refused "belongs to user 0.*root" $nobody $COTTER -p $pid
    open=$(mktemp -d /tmp/attach.XXXXXX)
    chmod 755 "$open"
    cp "$PROG" "$open/setuid" && chmod 4755 "$open/setuid"
    $nobody "$open/setuid" >out.setuid & other=$!
    until [ -s out.setuid ]; do sleep 0.02; done
    grep -q '^Uid:.65534.0' /proc/$other/status &&           # not where the file system forbids it
        refused "setuid or setgid.*CAP_SYS_PTRACE" $nobody $COTTER -p $other
    kill $other
    rm -r "$open"
    refused "capabilities that this command lacks.*CAP_SYS_PTRACE" setpriv --bounding-set=-sys_ptrace $COTTER -p $pid
    $nobody perl -e '$| = 1; syscall(157, 4, 0, 0, 0, 0); print "ready"; sleep 100' >out.hidden & other=$!
    until [ -s out.hidden ]; do sleep 0.02; done
    refused "not dumpable.*root" $nobody $COTTER -p $other
    for scope in 1 2 3; do
        refused "yama.ptrace_scope is $scope" unshare -m sh -c "mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama &&
            echo $scope >/proc/sys/kernel/yama/ptrace_scope && exec $nobody $COTTER -p $other"
    done
    kill $other
fi
as_it_was refusals
for how in return exit raw crash abort; do
    refused "tool ended\|tool failed" $COTTER -p $pid -t "$TOOL" -how $how
    as_it_was "tool that ends by $how"
done
refused "no option -nonsense" $COTTER -p $pid -t "$TOOL" -nonsense 1
as_it_was "bad option of the tool"
# The command is killed at any time. Its worker ends what it began, or takes it back.
for i in 1 2 3 4 5 6 7 8; do
    $COTTER -p $pid 2>/dev/null & c=$!
    sleep "0.0$((RANDOM % 60))"
    w=$(pgrep -P $c)
    kill -9 $c 2>/dev/null
    wait $c 2>/dev/null
    while [ "$w" ] && [ -d "/proc/$w" ]; do sleep 0.02; done
    no_launcher $pid
    grep -q '^550' /proc/$pid/maps && { leave $pid || die "killed in round $i: detach failed"; }
    as_it_was "killed in round $i"
done
# The worker is killed while the tool's main() runs, which then ends by exit().
$COTTER -p $pid -t "$TOOL" -how late 2>words & c=$!
until grep -q waiting words; do sleep 0.02; done
w=$(pgrep -P $c)
kill -9 $c                              # nobody is left to clean up
kill -9 $w
wait $c 2>/dev/null
until [ "$(ls /proc/$pid/task)" = $pid ]; do kill -0 $pid 2>/dev/null || die "an orphaned tool has ended the process"; sleep 0.02; done
no_launcher $pid
if grep -q '^550' /proc/$pid/maps; then leave $pid || die "detach after an orphaned tool failed"; fi
as_it_was "orphaned tool"
# While the tool's main() runs, the command is killed, or the worker, or both. The one that is left takes it back; or cotter detach does.
for who in command worker both; do
    rm -f words
    $COTTER -p $pid -t "$TOOL" -how wait 2>words & c=$!
    until grep -q waiting words; do sleep 0.02; done
    w=$(pgrep -P $c)
    case $who in command) kill -9 $c ;; worker) kill -9 $w ;; both) kill -9 $c; kill -9 $w ;; esac
    wait $c 2>/dev/null
    while [ -d /proc/$w ]; do sleep 0.02; done
    no_launcher $pid
    case $(awk '{print $3}' /proc/$pid/stat) in [tT]) die "$who killed: it is stopped";; esac
    if [ $who = both ]; then leave $pid || die "both killed: detach failed"; fi
    as_it_was "killed $who"
done
kill -USR1 $pid
wait $pid
same "exit status" 7 $?
same "last line" "sums agree" "$(tail -1 out)"
exit 0
