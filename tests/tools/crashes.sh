# A crash in a tool is the tool's: exit status 125, its functions by name, wherever it happens; never the program's death by a
# signal, never the engine's failure. A handler of the program does not get to see it.
. "$ROOT/tests/tools/lib.sh"
tool crashes
crash() { # HOW WHAT FUNCTION...: the first line says WHAT, then these functions are named in this order
    local how=$1 what=$2
    shift 2
    timeout 60 $COTTER -t "$TOOL" -how "$how" -- /bin/sleep 1 >out 2>err
    status=$?
    [ $status = 125 ] || die "$how: status $status: $(cat err)"
    grep -q "^cotter: the tool failed: $what" err || die "$how: $(cat err)"
    ! grep -q "engine failed" err || die "$how: $(cat err)"
    last=0
    for f; do
        at=$(grep -nE "^cotter:   #[0-9]+ 0x[0-9a-f]+ $f" err | head -1 | cut -d: -f1)
        [ "${at:-0}" -gt $last ] || die "$how: no frame of $f in its place: $(cat err)"
        last=$at
    done
}
crash analysis "signal 11 .code 1, address 0x0" "Inner\(int\)" "Analysis\(\)"
crash null "signal 11" "Null\(\)"
crash divide "signal 8" "Divide\(unsigned long\)"
crash throw "abort()" "std::terminate\(\)" "__cxa_throw" "Throw\(\)"
crash stack "signal 11" "Overflow\("
crash callback "signal 11" "Inner\(int\)" "Instruction\("
crash image "signal 11" "Inner\(int\)" "Image\("
crash thread "signal 11" "Inner\(int\)" "Thread\("
crash syscall "signal 11" "Inner\(int\)" "Syscall\("
crash fini "signal 11" "Inner\(int\)" "Fini\(int, void\*\)"
crash main "signal 11" "Inner\(int\)" "main"
crash internal "signal 11" "Inner\(int\)" "Internal\(void\*\)"
for how in inlined inlined-after inlined-taken; do
    crash $how "signal 11 .*address 0x8.* in an analysis routine that was inlined"
done
$COTTER --no-inline -t "$TOOL" -how inlined -- /bin/true 2>err
grep -q "#0 0x[0-9a-f]* Store(unsigned long\*)" err || die "--no-inline: $(cat err)"
CRASH_EARLY=1 $COTTER -t "$TOOL" -- /bin/true 2>err
[ $? = 125 ] && grep -q "Inner(int)" err || die "constructor: $(cat err)"

# The lines that addr2line is offered are those of the source.
crash analysis "signal 11"
$(grep -o 'addr2line .*' err) | grep -q "Analysis.*crashes.cpp:[0-9]" || die "addr2line: $($(grep -o 'addr2line .*' err))"

# With a handler for SIGSEGV in the program; the program's own faults stay its own.
program signalled
$COTTER -t "$TOOL" -how analysis -- "$PROG" >out 2>err
[ $? = 125 ] && grep -q "the tool failed" err || die "with a handler: $(cat err)"
$COTTER -q -t "$TOOL" -- bash -c 'kill -SEGV $$' 2>err
[ $? = 139 ] && ! grep -q failed err || die "the program's own death: $(cat err)"
