# Random instructions with something at every point of every one of them: sums, then calls. State and
# memory are what they are natively, register by register, flag by flag, byte by byte. Strict: otherwise a handler may see
# flags that the program no longer needs as the tool left them (docs/transparency.md).
# test-timeout: 240
. "$ROOT/tests/tools/lib.sh"
tool everything
fuzz() { "$ROOT/tests/fuzz/run.sh" --seed "$1" --count "$2" --modes "$3" --tool "$4" >fuzz.log 2>&1 || die "$4: $(cat fuzz.log)"; }
# The seeds have no case of what is known to differ with a tool: which of two bad operands of a rep cmps faults.
for seed in 1 2 3 4 22; do
    fuzz $seed 3000 strict "$TOOL -kind 3"
done
fuzz 2 1000 strict "$TOOL -kind 1"
fuzz 22 500 strict "$TOOL -kind 1"
for seed in 2 22; do
    fuzz $seed 1000 strict "$TOOL -kind 5"
    fuzz $seed 500 strict "$TOOL -kind 6"
done
