# Short routines stand in the trace of their caller under a tool, too: what it counts is what a debugger steps through, what it sees
# are TRACEs as ever, and where it changes a return address the return goes there.
. "$ROOT/tests/tools/lib.sh"
program step
step=$PROG
gcc -nostdlib -static -no-pie -o short "$src/short.S" || die "short.S does not build"
tool short
n=$("$step" ./short)
want="$n instructions, $n in blocks, 6000 calls, 6000 returns, 0 broken, targets 0"
./short
[ $? = 208 ] || die "status $?"
for mode in "" --no-leaf-calls --opt=none --opt=inline --opt=schedule --max-trace-ins=1 --max-trace-ins=7 --no-link --returns=precall --returns=clone --indirect=hash --strict; do
    got=$($COTTER -q $mode -t "$TOOL" -- ./short 2>&1)
    [ $? = 208 ] || die "$mode: status $?"
    same "$mode" "$want" "$got"
    # One return skips two calls, their instructions and returns, and adds an instruction.
    got=$($COTTER -q $mode -t "$TOOL" -astray 1001 -- ./short 2>&1)
    [ $? = 205 ] || die "$mode: astray: status $?"
    [ -n "$first" ] || first=$got
    same "$mode: astray" "$first" "$got"
done
case $first in *" 5998 calls, 5998 returns, 0 broken"*) ;; *) die "astray: $first" ;; esac
# There are fewer traces: they do stand there.
traces() { $COTTER --stats "$@" -t "$TOOL" -- ./short 2>&1 | sed -n 's/.*traces made *//p'; }
[ "$(traces)" -lt "$(traces --no-leaf-calls)" ] || die "every call ends its trace"
