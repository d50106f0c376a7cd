# Counters are exact whatever is done to make them cheap: looked at in the middle, by a routine that throws, by a signal
# callback, at the end; under a timer, with faults, with eight threads.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program exact_app
tool exact
run() { $COTTER -q "$1" -t "$TOOL" $2 -- "$PROG" 2000 "$3" 2>&1; }
want="exact
20 faults, filled"
for kind in global frame tls tid atomic pair; do
    for level in none inline flags schedule all; do
        same "$kind, --opt=$level" "$want" "$(run --opt=$level "-kind $kind" 0 | sort -r)"
    done
    same "$kind, one instruction per trace" "$want" "$(run --max-trace-ins=1 "-kind $kind" 0 | sort -r)"
    same "$kind, 8 threads" "$want" "$(run --opt=all "-kind $kind -threads 1" 8 | sort -r)"
done

# The report names what became of the routine.
report=$($COTTER --opt-report -t "$TOOL" -kind frame -- "$PROG" 2000 0 2>&1)
case $report in *Frame*"times summed up in place"*) ;; *) die "no word of Frame in: $report" ;; esac
case $report in *Enter*"times called: "*) ;; *) die "no word of Enter in: $report" ;; esac
