# Iterations of repeated instructions that are counted and made at once are as many as those that are made one by one: of any
# length, with faults in the middle that a handler mends, and with a timer's signals, each of which adds the same number. The same
# for an If that counts them down.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
tool repeated
program repeats
run() { setarch -R $COTTER -q "$@" 2>&1 | tr '\n' ' '; }
total() { echo "$1" | sed 's/.*instructions \([0-9]*\) .*/\1/'; }
same_in_modes() {    # same_in_modes KNOBS
    local want=$(run --opt=none -t "$TOOL" $1 -- "$PROG" 300 n)
    case $want in "00000040 00000001 00000000 "*instructions*) ;; *) die "$want" ;; esac
    for mode in --opt=inline --opt=schedule --opt=all "--opt=all --max-trace-ins=1" "--opt=all --no-link" "--opt=all --strict" --check-state; do
        same "$1 $mode" "$want" "$(run $mode -t "$TOOL" $1 -- "$PROG" 300 n)"
    done
}
same_for_signals() {    # same_for_signals KNOBS
    local each= us n more want got
    for us in 200 100 300; do
        want=$(run --opt=all -t "$TOOL" $1 -- "$PROG" $us n)
        got=$(run --opt=all -t "$TOOL" $1 -- "$PROG" $us y)
        n=$((0x$(echo "$got" | cut -d' ' -f3)))
        [ $n -gt 1 ] || die "$1: no signals came: $got"
        more=$(($(total "$got") - $(total "$want")))
        # A signal in front of a system call, of which there is one meanwhile, makes that one begin again.
        [ $n -gt 1 ] && [ $((more % n)) -le 1 ] || die "$1: $n signals add $more instructions"
        same "$1: instructions of a signal" "${each:=$((more / n))}" $((more / n))
        [ "$1" ] || same "iterations with $n signals" "${want##*repeated}" "${got##*repeated}"
    done
}
same_in_modes ""
same_for_signals ""
same_in_modes "-sample 1"
same_for_signals "-sample 1"
exit 0
