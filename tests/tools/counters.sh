# One number, found in ten ways: every kind of call, point and order, in every mode of the engine.
. "$ROOT/tests/tools/lib.sh"
program step
step=$PROG
program mixed
n=$("$step" "$PROG")
tool counters
want="plain $n
called $n
blocks $n
anywhere $n
guarded $n
register $n
context $n
reference $n
edges $((n - 1))
ordered $((2 * n))"
for mode in "" "--max-trace-ins=1" "--no-link" "--cache-limit=128k --cache-block=64k" "--random-layout=5" "--strict"; do
    same "counters $mode" "$want" "$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
done
