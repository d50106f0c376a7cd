# INS_RewriteMemoryOperand: with every operand at its own address programs run as always; with a whole buffer elsewhere, the
# stack in it included, a program computes the same, and the buffer itself is never touched.
# test-timeout: 120
. "$ROOT/tests/tools/lib.sh"
tool moved
program operands_moved
want=$("$PROG" | od -An -tx1)
at=0x$(nm "$PROG" | awk '$3 == "buffer" { print $1 }')
for mode in "" "--max-trace-ins=1" "--no-link" "--random-layout=5" "--strict" "--no-inline" "--returns=precall"; do
    same "elsewhere $mode" "$want" "$($COTTER -q $mode -t "$TOOL" -from "$at" -size 4096 -- "$PROG" 2>err | od -An -tx1)"
    same "moved $mode" "moved some" "$(cat err)"
    same "same $mode" "$want" "$($COTTER -q $mode -t "$TOOL" -same -- "$PROG" | od -An -tx1)"
done
for p in "/bin/ls /" "perl -e print(42*42)" "bash -c echo"; do
    same "$p" "$($p)" "$($COTTER -q -t "$TOOL" -same -- $p)"
done
