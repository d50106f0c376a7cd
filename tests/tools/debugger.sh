# GDB sees the program through the engine as it sees it natively: breakpoints, steps, registers, memory, signals, threads, the end; and
# a tool can stop there, answer commands, and look at events first.
# test-timeout: 240
. "$ROOT/tests/tools/lib.sh"
program debugged -O0
tool debugs
bare=$ROOT/build/lib/cotter/bare

# under TOOL-AND-OPTIONS, then the commands of the debugger, one a line on stdin: what the debugger says is in gdb.txt
under() {
    : >err
    timeout 60 $COTTER -q -t "$@" -- "$PROG" >out 2>err &
    local pid=$! port= i
    for i in $(seq 300); do
        port=$(sed -n 's/.*target remote ://p' err)
        [ -z "$port" ] || break
        sleep 0.1
    done
    [ -n "$port" ] || die "no port: $(cat err)"
    { echo "set pagination off"; echo "set confirm off"; echo "target remote :$port"; cat; } >script
    timeout 60 gdb -nx -batch -x script "$PROG" >gdb.txt 2>&1 </dev/null
    wait $pid
    status=$?
}
# natively, with the same commands
natively() {
    { echo "set pagination off"; echo "set confirm off"; echo "starti >out"; cat; } >script
    timeout 60 gdb -nx -batch -x script "$PROG" >gdb.txt 2>&1 </dev/null
}
# Addresses differ from run to run, and so do thread ids.
plain() { grep -v '^\[\|warning:\|^Using\|^Program stopped\|_start ()\|^Remote\|No such file\|^[0-9]*\.*in \./\|nptl\|^$' gdb.txt |
    sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/Thread [0-9]+ //; s/Thread ADDRESS.*LWP [0-9]+\) //; s/\(Remote target\)/()/; s/\(process [0-9]+\)/()/; s/^[0-9]+\t/LINE /; s/Program received/received/; s/"prog-debugged" //; s/hit Breakpoint/Breakpoint/; s/^ *//'; }

session='break fact
continue
backtrace
print n
stepi
stepi
print counter
next
print $rip == (long)&fact || 1
print n
finish
continue
delete
set var factor = 2.5
print (long)$sp & 15
continue
print counter
break work
continue
print i
next
step
info breakpoints
delete
print factor
continue'
natively <<<"$session"
plain >native.txt
cp out out.native
under "$bare" -appdebug <<<"$session"
plain >ours.txt
cmp native.txt ours.txt || die "a session: native, then ours: $(diff native.txt ours.txt)"
same "output" "$(cat out.native)" "$(cat out)"
same "the debugger's change shows" "114 300" "$(tail -1 out)"
same "status" 7 "$status"
grep -q "exited with code 07" gdb.txt || die "the end: $(tail -3 gdb.txt)"

# A tool: its own breakpoint with a message, commands, a register changed by a command.
under "$TOOL" -appdebug -stop <<'END'
continue
monitor calls
monitor where
monitor first
monitor status
monitor nonsense
backtrace 2
monitor set
continue
continue
END
for line in "the third call" "calls 3" "fact in thread 0" "rdi 3" "connected gdb stopped" "knows no such command" "#0  fact"; do
    grep -q "$line" gdb.txt || die "no \"$line\" in: $(cat gdb.txt)"
done
same "5 * 4 * 6!" "14400" "$(head -1 out)"

# Breakpoints that the tool keeps, and gives back.
under "$TOOL" -appdebug -take <<'END'
set breakpoint always-inserted on
break fact
break handler
continue
monitor status
monitor reset
continue
END
grep -q "received signal SIGUSR1" gdb.txt && ! grep -q "Breakpoint 1, fact (n=5)" gdb.txt || die "a breakpoint of the tool's: $(cat gdb.txt)"
grep -q "taken [1-9]" gdb.txt && grep -q "Breakpoint 2, handler" gdb.txt || die "breakpoint handler: $(cat gdb.txt)"

# A handler that is taken away keeps nothing any more; a stop without a tool's breakpoint in waiting.
under "$TOOL" -appdebug -take <<'END'
set breakpoint always-inserted on
break fact
continue
monitor forget
monitor pending
break handler
continue
kill
END
grep -q "Breakpoint 2, handler" gdb.txt && grep -q "pending 00" gdb.txt || die "without a handler: $(cat gdb.txt)"

# A register that the tool emulates: read and set by the debugger, not touched in the program.
under "$TOOL" -appdebug -emulate <<'END'
break fact
continue
print $rbx
set $rbx = 42
print $rbx
print n
delete
continue
continue
END
same "an emulated register" '$1 = 4711
$2 = 42
$3 = 5' "$(grep '^\$' gdb.txt)"
same "the program's stays" "120" "$(head -1 out)"

# Every second event is kept from the debugger; asked for by PIN_SetDebugMode.
under "$TOOL" -mode -squash <<'END'
break fact
continue
print n
continue
print n
kill
END
same "every second" '$1 = 5
$2 = 3' "$(grep '^\$' gdb.txt)"

# Without a stop at the start: the tool waits for the debugger.
under "$TOOL" -appdebug_enable -stop -wait <<'END'
continue
print n
continue
continue
continue
END
same "output of a run that waited" "120" "$(head -1 out)"

# No debugger: nothing changes.
same "alone" "$("$PROG")" "$($COTTER -q -t "$TOOL" -appdebug_enable -appdebug_silent -stop -- "$PROG" 2>&1)"
# Pin's switches
pin=$($COTTER --pin-root)/pin
timeout 60 "$pin" -appdebug_enable -appdebug_silent -- "$PROG" >out 2>&1
same "pin -appdebug_enable" "$("$PROG"; echo $?)" "$(cat out; echo 7)"
