# Records in buffers and calls tell the same about every memory access.
. "$ROOT/tests/tools/lib.sh"
tool memtrace
program mixed
calls=$(setarch -R $COTTER -t "$TOOL" -calls -- "$PROG" 2>&1)
for mode in "" "--max-trace-ins=1" "--random-layout=7"; do
    same "memtrace $mode" "$calls" "$(setarch -R $COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
done
prog=/bin/ls
calls=$(setarch -R $COTTER -t "$TOOL" -calls -- $prog / 2>&1 >/dev/null | sed 's/ ip.*//')
same "memtrace of ls" "$calls" "$(setarch -R $COTTER -t "$TOOL" -- $prog / 2>&1 >/dev/null | sed 's/ ip.*//')"
