# attach_lib.sh: for the tests that attach to servers. A client checks every reply meanwhile.
. "$ROOT/tests/tools/lib.sh"
rounds=$((SOAK_MINUTES > 0 ? 300 : 4))
client=$src/client.py
python=/usr/bin/python3
[ -x $python ] || python=python3
started=
trap 'kill $started 2>/dev/null; wait 2>/dev/null' EXIT

# wait_for COMMAND...: until it succeeds; a minute at the most.
wait_for() { for _ in $(seq 600); do "$@" 2>/dev/null && return; sleep 0.1; done; die "not in time: $*"; }

# cycles PID...: attach to each, with a tool and without, and detach again, at random times.
cycles() {
    local i p
    for i in $(seq $rounds); do
        for p; do
            if [ $((i % 2)) = 0 ]; then $COTTER -pid $p; else $COTTER -pid $p -t "$ROOT/build/lib/cotter/tools/icount" -o icount.%p; fi ||
                die "attach $i to $p failed"
        done
        sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
        for p; do
            leave $p || die "detach $i from $p failed: $(cat words)"
            kill -0 $p 2>/dev/null || die "$p died in round $i"
            grep -q '^55[0-4]\|^7f[0-9a-f]\{6\}-' /proc/$p/maps && die "memory stays in $p in round $i"
        done
        sleep "0.0$((RANDOM % 100))"
    done
}

# checked PIDS CLIENT-ARGS...: cycles while the client runs; then the client says how many replies were right.
checked() {
    local pids=$1 c words; shift
    mkfifo stop
    $python "$client" "$@" <stop >replies 2>&1 & c=$!
    exec 8>stop
    cycles $pids
    sleep 2                             # and natively once more
    exec 8>&-
    wait $c || die "the client: $(tail -3 replies)"
    words=$(cat replies)
    [ "${words#ok }" -gt 10 ] || die "the client: $words"
    rm stop
}
