# Ifs that count down come to zero at the same places whether they are called, inlined or given budgets: with a Then that sets
# the word, with tool code that looks in between, with a word that is added to elsewhere. A program with threads still runs.
. "$ROOT/tests/tools/lib.sh"
tool countdown
countdown=$TOOL
program mixed
for knobs in "" "-look 1" "-mix 1"; do
    want=$(setarch -R $COTTER -q --opt=none -t "$countdown" $knobs -- "$PROG" 2>&1)
    case $want in *"fired 0 "*) die "nothing came to zero" ;; *fired*) ;; *) die "$want" ;; esac
    for mode in --opt=inline --opt=schedule --opt=all "--opt=all --max-trace-ins=1" "--opt=all --no-link" "--opt=all --strict"; do
        same "countdown $knobs $mode" "$want" "$(setarch -R $COTTER -q $mode -t "$countdown" $knobs -- "$PROG" 2>&1)"
    done
done
report=$($COTTER --opt-report -t "$countdown" -- "$PROG" 2>&1)
case $report in *is_rare*"times summed up in place"*) ;; *) die "is_rare has no budget: $report" ;; esac
program exact_app
same "threads" "$("$PROG" 200 8)" "$($COTTER -q -t "$countdown" -- "$PROG" 200 8 2>/dev/null)"

# One word that eight threads count down loses some passes, natively as here; but it never misses zero, and no pass counts twice.
tool sample_threads
program spin_app
executed=$($COTTER run icount --json -- "$PROG" 2>&1 >/dev/null | sed -n 's/.*"instructions": *\([0-9]*\).*/\1/p' | head -1)
sampled=$($COTTER -q -t "$TOOL" -- "$PROG" 2>&1 >/dev/null)
[ "$sampled" -gt $((executed / 3)) ] && [ "$sampled" -lt $((executed / 10 * 11)) ] || die "$executed instructions, $sampled sampled"
