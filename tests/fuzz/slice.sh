# The fuzzer's fixed slice: the same cases in every run, in all modes. In a soak: new seeds until the time is over.
# test-timeout: 240
if [ "${SOAK_MINUTES:-0}" -gt 0 ]; then
    exec "$ROOT/tests/fuzz/run.sh" --modes all --count 20000 --seed "$(date +%s)" --minutes "$SOAK_MINUTES"
fi
"$ROOT/tests/fuzz/run.sh" --modes default --seed 1 --count 20000 &&
"$ROOT/tests/fuzz/run.sh" --modes all --seed 2 --count 3000 &&
"$ROOT/tests/fuzz/run.sh" --modes ins1,nolink,flush,random,strict,precall --seed 3 --count 5000
