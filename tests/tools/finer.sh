# Finer points of the interface that the tests of Pin's kit found: predicates of If and Then, operands, ends, numbers.
. "$ROOT/tests/tools/lib.sh"
tool finer
# said STATUS TEXT WHAT: the tool's output and the status for that point
said() {
    got=$($COTTER -q -t "$TOOL" -what $3 -- /bin/ls / 2>&1 >out.txt) ; status=$?
    [ $status = $1 ] || die "$3: status $status: $got"
    same "$3" "$2" "$(grep -v -x -F "$(ls /)" out.txt)${got:+$got}"
}
said 0 "pairs agree, some are not executed 1" predicates
said 0 "bases 1, registers among them 0" bases
said 125 "cotter: tool error: PIN_ExecuteAt: only an analysis routine or a replacement routine can be abandoned: a callback returns, and changes its CONTEXT where it is given one" leaves
said 125 "cotter: tool error: PIN_ExecuteAt: the thread has the client lock, which nobody would give back: call PIN_UnlockClient first" keeps
said 3 "printed before the end" exits
said 1 "-333 11 -5 2.5E: Error in string conversion function: 'a' is not a number of that type" numbers
said 0 "claimed all" claims
# Five repetitions, none, and three that stop after two: seven iterations, and one instruction that does nothing.
program repeated_few
same "repetitions" "iterations 7 behind 7 with those of none 8" "$($COTTER -q -t "$TOOL" -what repetitions -- "$PROG" 2>&1)"
program calls_inner
same "functions" "inner 0
inner 1
inner 0" "$($COTTER -q -t "$TOOL" -what functions -- "$PROG" 2>&1)"
program loads_one
same "natively" 1 "$("$PROG")"
same "x87 by a partial context" 0 "$($COTTER -q -t "$TOOL" -what partial -- "$PROG" 2>&1)"
# Makefiles that include the rules of a folder of the kit.
mkdir folder
cp "$src/calls_inner.c" folder/
printf 'include %s\n' '$(PIN_ROOT)/source/tools/Config/makefile.config' '$(PIN_ROOT)/source/tools/SimpleExamples/makefile.rules' \
    '$(TOOLS_ROOT)/Config/makefile.default.rules' >folder/makefile
make -s -C folder PIN_ROOT="$($COTTER --pin-root)" obj-intel64/calls_inner.exe >log 2>&1 || die "$(cat log)"
