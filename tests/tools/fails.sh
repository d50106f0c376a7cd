# A tool that fails is reported as such; it can catch its own faults, and end the program.
. "$ROOT/tests/tools/lib.sh"
tool fails
program mixed
try() { $COTTER -t "$TOOL" -how $1 -- "$PROG" >out 2>err; status=$?; }
try fault
[ $status = 125 ] && grep -q "^cotter: the tool failed: signal 11" err && grep -q "addr2line" err || die "fault: $status $(cat err)"
try abort
[ $status = 125 ] && grep -q "the tool failed: abort()" err || die "abort: $status $(cat err)"
try exit
[ $status = 9 ] && [ "$(cat err)" = "fini 9 caught 0" ] || die "exit: $status $(cat err)"
try process
[ $status = 11 ] && [ ! -s err ] || die "process: $status $(cat err)"
try caught
[ $status = 0 ] && [ "$(cat err)" = "fini 0 caught 1" ] || die "caught: $status $(cat err)"
try behind
[ $status = 0 ] && [ "$(tail -c 8 out)" = "not lost" ] || die "behind: $status $(cat out err)"
same "what fails behind Fini is left out" "fini 0 caught 0
left out, as it failed: signal 11
left out, as it failed: abort()" "$(grep -o 'fini.*\|left out, as it failed: [a-z()]*\( 11\)\?' err)"
try misuse
[ $status = 125 ] && grep -q "fails.c:[0-9]*: INS_InsertCall: IARG_MEMORYREAD_EA" err || die "misuse: $status $(cat err)"
try point
[ $status = 125 ] && grep -q "INS_InsertCall: IPOINT_AFTER is not possible at" err || die "point: $status $(cat err)"
for how in stale later trace; do
    try $how
    [ $status = 125 ] && grep -q "handle is used outside of the callback that received it" err || die "$how: $status $(cat err)"
done
# Where the words do not name the place, the callers do.
misused() { # HOW WORDS
    try $1
    [ $status = 125 ] && grep -q "tool error: $2" err && grep -q "addr2line.* 0x" err || die "$1: $status $(cat err)"
}
misused then "a Then call is inserted without an If call before it"
misused start "PIN_StartProgram: the program runs already"
misused null "the function that is to be called back is NULL"
misused iarg "INS_InsertCall: unknown IARG 4711: is IARG_END missing"
grep -q "#[0-9]* 0x[0-9a-f]* instrument" err && [ "$(cat out)" = "printed before" ] || die "iarg: $(cat out err)"
"$TOOL" >out 2>&1 && die "a tool that was started by hand succeeded"
grep -q "cotter -t" out || die "by hand: $(cat out)"
