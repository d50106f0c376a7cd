# Pin's switches, through the wrapper in --pin-root.
. "$ROOT/tests/tools/lib.sh"
tool messages
pin=$($COTTER --pin-root)/pin
program reps

refused() { local what=$1; shift; "$pin" "$@" >out 2>&1; local s=$?; [ $s = 125 ] && grep -q -e "$what" out || die "$*: status $s, $(cat out)"; }
refused "unknown switch -nosuch" -nosuch -t "$TOOL" -- /bin/true
refused "-logfile wants a value" -logfile
refused "-injection is child" -injection up -t "$TOOL" -- /bin/true
refused "-appdebug_connection is not supported" -appdebug_connection -t "$TOOL" -- /bin/true
refused "'/bin/true' is no switch" /bin/true

"$pin" -t "$TOOL" -- "$PROG" && grep -q "calls 4" pintool.log || die "pintool.log: $(cat pintool.log)"
"$pin" -mt 1 -slow_asserts -smc_strict 1 -xyzzy -mesgon log_x -injection dynamic -t "$TOOL" -logfile "a b.log" -- "$PROG" &&
    grep -q "calls 4" "a b.log" || die "-logfile of the tool"
"$pin" -t "$TOOL" -logfile u.log -unique_logfile -- "$PROG" && grep -q "calls 4" u.log.[0-9]* || die "-unique_logfile"

"$pin" -error_file "e rr" -t "$TOOL" -fail -- "$PROG" 2>out && die "the assertion passed"
grep -q "^A: .*asked to fail" "e rr" && ! grep -q asked out || die "-error_file: $(cat "e rr") $(cat out)"
"$pin" -t "$TOOL" -fail -- "$PROG" 2>&1 | grep -q "^A: .*messages.cpp: Fini: .*asked to fail" || die "assertion on stderr"

# The program takes pin's place, or is its child.
same "status" 7 "$("$pin" -t "$TOOL" -- /bin/sh -c 'exit 7'; echo $?)"
same "status of a child" 7 "$("$pin" -injection child -t "$TOOL" -- /bin/sh -c 'exit 7'; echo $?)"
same "environment" "A=1" "$(env -i A=1 "$pin" -- /usr/bin/env)"
same "-follow_execv" 2 "$(rm -f f.log.*; "$pin" -follow_execv -t "$TOOL" -logfile f.log -unique_logfile -- /bin/sh -c '/bin/true; exit' && ls f.log.* | wc -l)"
same "-follow_execv 0" 1 "$(rm -f f.log.*; "$pin" -follow_execv 0 -t "$TOOL" -logfile f.log -unique_logfile -- /bin/sh -c '/bin/true; exit' && ls f.log.* | wc -l)"
