# Versions of traces: each instruction runs in the version that the tool wants, and the program does what it does, in every mode.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program step
step=$PROG
tool versions
program mixed
n=$("$step" "$PROG")
for mode in "" "--max-trace-ins=1" "--no-link" "--random-layout=5" "--strict" "--returns=precall" "--returns=site" "--cache-limit=512k --cache-block=256k"; do
    same "cases $mode" "total $n sum $n wrong 0
versions 0 1 2" "$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
    same "blocks $mode" "total $n sum $n wrong 0
versions 0 3" "$($COTTER -q $mode -t "$TOOL" -how blocks -- "$PROG" 2>&1)"
done
for how in cases blocks; do
    for p in "/bin/ls /" "perl -e print(42*42)"; do
        same "$how $p" "$($p)" "$($COTTER -q -t "$TOOL" -how $how -- $p 2>/dev/null)"
    done
done

# Versions that are pointers, chosen ahead of time by a case in an open routine that only .symtab names.
program chosen
for mode in "" "--max-trace-ins=1" "--no-link"; do
    same "named $mode" "odd 60 even 40" "$($COTTER -q $mode -t "$TOOL" -how named -- "$PROG" 2>&1)"
done
