# Loops that count in a register are counted exactly: left at their end, in the middle, by faults, by signals, each of which adds the
# same number of instructions; and whoever looks at the count when a fault has come finds what it is without all this.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
tool loops
program loop_app
run() { setarch -R $COTTER -q "$@" 2>&1 | tr '\n' ' '; }
for knobs in "" "-read 1"; do
    want=$(run --opt=none -t "$TOOL" $knobs -- "$PROG" 100 n)
    case $want in *" 384 "*instructions*) ;; *) die "$want" ;; esac
    for mode in --opt=inline --opt=schedule --opt=all "--opt=all --max-trace-ins=1" "--opt=all --no-link" "--opt=all --strict"; do
        same "$knobs $mode" "$want" "$(run $mode -t "$TOOL" $knobs -- "$PROG" 100 n)"
    done
done
total() { echo "$1" | sed 's/.*instructions \([0-9]*\) .*/\1/'; }
each=
for us in 100 150 170; do
    n=$(setarch -R $COTTER -q -t "$TOOL" -- "$PROG" $us y 2>err)
    more=$(($(total "$(cat err)") - $(total "$want")))
    n=$((0x$n))
    [ $n -gt 1 ] || die "no signals came: $n"
    # A signal in front of the system call at the end makes that one begin again.
    [ $((more % n)) -le 4 ] || die "$n signals add $more instructions"
    same "instructions of a signal" "${each:=$((more / n))}" $((more / n))
done
setarch -R $COTTER --dump-trace=all --log=log -t "$TOOL" -- "$PROG" 100 n >/dev/null 2>&1
grep -q 'add $0x04, %r11' log || die "no loop counts in a register"
grep -q 'add $0x07, %r11' log || die "no loop of several traces counts in a register"
