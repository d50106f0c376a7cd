# What a tool can change: registers, vector registers, the way of control, instructions, system calls.
. "$ROOT/tests/tools/lib.sh"
tool changes
program answer
check() {                                   # check HOW FIRST_LINE [REST]
    for mode in "" "--max-trace-ins=1" "--no-link"; do
        same "$1 $mode" "$2
${3:-pid own
read -1 }" "$($COTTER $mode -t "$TOOL" -how $1 -- "$PROG" 2>&1)"
    done
}
check none      "42 1005 3 -9"
check reference "142 1005 3 -9"
check result    "1042 1005 3 -9"
check partial   "62 1005 20 -9"
check execute   "-77 1005 3 -9"
check jump      "-20 1005 3 -9"
check delete    "42 5 3 -9"
check vector    "42 1005 3.5 -9"
check after     "42 1005 3.25 -9"
check syscall   "42 1005 3 -9" "pid 4242
read 10 from tool"
