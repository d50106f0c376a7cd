# A vfork child is killed while the tool looks at its code, in memory that is its parent's: the tool is lost, which a line says, and
# the program is not: its output and status are the native ones.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program vfork_killed
tool slowly
lost=0
for seed in 1 2 3; do
    status=0
    timeout 60 $COTTER -t "$TOOL" -- "$PROG" $seed 8 > out 2> err || status=$?
    same "seed $seed" "0 killed 8, wrong 0" "$status $(cat out)"
    if grep -q "^cotter: the child [0-9]* was killed while the tool looked at its code.*report is lost" err; then
        lost=1
        same "what else is said" 1 "$(wc -l < err)"
    else
        same "the report" "report: some" "$(cat err)"
    fi
done
same "was any killed in the tool?" 1 $lost
