# Arguments under a second name agree with the first one and with registers: memory by use, by number and behind the
# instruction, calls, system calls and their
# results, the next address, time. A little of every class of instruction, and a program with a C library; on several threads, in every mode.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
tool iargs
check() { # SECOND PROGRAM...: are there instructions that read twice?
    local want="wrong 0; reads some, second $1, writes some, behind some, calls some, system calls some, results some, falls some, times some"
    shift
    grep -v '^#' "$ROOT/tests/lib/modes.txt" | while read -r name mode; do
        same "$* $name" "$want" "$($COTTER -q ${mode/SEED/7} -t "$TOOL" -- "$@" 2>&1 >/dev/null)"
    done || exit 1
}
program classes
check some "$PROG"
program known -O0
check none "$PROG" threads
