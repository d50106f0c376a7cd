# System calls by int 0x80: a tool is told of them by their own standard, and can change number, arguments and result.
. "$ROOT/tests/tools/lib.sh"
tool oldcalls
program oldcaller
same natively "own mask 77 none: -38" "$(echo $("$PROG"))"
for mode in "" --max-trace-ins=1; do
    same "$mode" "parent mask 0 none: 4242" "$(echo $($COTTER $mode -t "$TOOL" -- "$PROG" 2> err))"
    same "$mode, told" "call 20: 1 2 3 4 5 call 60: 63 0 0 0 0 call 1000: 0 0 0 0 0 error 38" \
        "$(echo $(sed 's/^\(call.*\) [0-9]*$/\1/' err))"                  # rbp, the sixth, is what it is
done
