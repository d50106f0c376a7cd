# Every register before every instruction, on several threads, is what a debugger sees; the state behind an instruction is the
# state before the next; addresses, predicates, iterations and branches are what the registers say. In every mode.
# test-timeout: 240
. "$ROOT/tests/tools/lib.sh"
program oracle
oracle=$PROG
tool registers
check() { # PROGRAM PREDICATED
    want=$(setarch -R "$oracle" "$1") || die "oracle: $want"
    same "the debugger by itself" "$want" "$(setarch -R "$oracle" "$1")"
    grep -v '^#' "$ROOT/tests/lib/modes.txt" | while read -r name mode; do
        same "$(basename "$1") $name" "$want
wrong 0, afters most, predicated $2" "$(setarch -R $COTTER -q ${mode/SEED/7} -t "$TOOL" -- "$1" 2>&1)"
    done || exit 1
}
program classes
check "$PROG" agree
program mixed
check "$PROG" "$($COTTER -q -t "$TOOL" -- "$PROG" 2>&1 | grep -o '[a-z]*$' | tail -1)"
