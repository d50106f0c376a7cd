# What a tool asks and does at run time: see asks.cpp.
# test-timeout: 120
. "$ROOT/tests/tools/lib.sh"
tool asks
program asked
for mode in "" "--max-trace-ins=1" "--no-link" "--no-inline"; do
    got=$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)
    [ $? = 5 ] || die "$mode: status $?: $got"
    same "asks $mode" "depth 4 handled 11321 page 4096 known text
12pu many wrong 0" "$got"
done
