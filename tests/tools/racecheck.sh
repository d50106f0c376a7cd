# racecheck: programs of race/racy have races, at the lines marked RACE only; those of race/clean have none.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
corpus=$ROOT/tests/tools/race
bin=$BUILD/tools/race
mkdir -p "$bin"
build() {
    local name=$(basename "$1") cc=gcc
    PROG=$bin/${name%.*}
    newer "$PROG" "$1" && return
    [ "${name##*.}" = c ] || cc=g++
    $cc -g -O1 -w -pthread $(grep -q "#pragma omp" "$1" && echo -fopenmp) -o "$PROG.$$" "$1" || die "$1 does not build"
    mv "$PROG.$$" "$PROG"
}
cat > judge.py <<'P'
import json, re, sys
source, report, racy = sys.argv[1], sys.argv[2], sys.argv[3] == "racy"
lines = {n for n, l in enumerate(open(source), 1) if "/* RACE */" in l}
found, name = json.load(open(report)), re.escape(source.rsplit("/", 1)[1])
def at(text):
    m = re.search(name + r":(\d+)", text)
    return int(m[1]) if m else None
where = {at(r["stack"][0]) for r in found["list"]} | {at(r["other_place"]) for r in found["list"]}
if not racy and found["list"]: sys.exit(f"{source}: false alarm: {found['list']}")
if racy and where != lines: sys.exit(f"{source}: expected a race at {lines}, got {found['list']}")
P
failed=
for s in "$corpus"/racy/* "$corpus"/clean/*; do
    build "$s"
    rm -f report
    $COTTER -q run racecheck -json -o report -- "$PROG" >/dev/null 2>err || failed="$failed $s: $(cat err)"
    /usr/bin/python3 judge.py "$s" report "$(basename "$(dirname "$s")")" || failed="$failed $s"
done
[ -z "$failed" ] || die "failed:$failed"
run() { $COTTER -q run racecheck "$@" 2>&1; }
PROG=$bin/counter
run -- "$PROG" | grep -q "^racecheck: [1-9] data races* in counter, 3 threads" || die "text: $(run -- "$PROG")"
echo "race run" > supp
run -suppressions supp -- "$PROG" | grep -q "^racecheck: 0 data races" || die "suppressions"
PROG=$bin/flag
run -- "$PROG" | grep -q "^[1-9][0-9]* pairs* of accesses to flags not shown" || die "flags: $(run -- "$PROG")"
run -flags -- "$PROG" | grep -q "^racecheck: [1-9][0-9]* data race" || die "-flags: $(run -flags -- "$PROG")"
run -- /bin/ls / | grep -q "^racecheck: 0 data races" || die "a program without threads"
run -- /usr/bin/python3 -c 'import threading; l = threading.Lock(); n = [0]
def f():
    for i in range(100):
        with l: n[0] += 1
t = [threading.Thread(target=f) for i in range(2)]; [x.start() for x in t]; [x.join() for x in t]; print(n[0])' | grep -q "^200$" || die "python with threads"
# The interpreter's own threads, with as many switches as there can be: nothing, but for the allocator's table at the end.
run -o report -json -- /usr/bin/python3 -c 'import sys, threading; sys.setswitchinterval(1e-5); l = threading.Lock(); n = [0]
def f():
    for i in range(500):
        with l: n[0] += 1
t = [threading.Thread(target=f) for i in range(3)]; [x.start() for x in t]; [x.join() for x in t]; print(n[0])' | grep -q "^1500$" || die "python with switches"
/usr/bin/python3 -c 'import json, sys
l = [r for r in json.load(open("report"))["list"] if "PyMem_SetAllocator" not in r["stack"][0] + r["other_place"]]
sys.exit("false alarm: %s" % l if l else 0)' || die "python3"
# Programs of the system that use their threads well.
seq 1 60000 >numbers
for program in "xz -0 -T2 --block-size=100KiB -k -f numbers" "pigz -p 3 -k -f numbers"; do
    command -v "${program%% *}" >/dev/null || continue
    run -o report -- $program >/dev/null
    grep -q "^racecheck: 0 data races in ${program%% *}, [3-9] threads" report || die "$program: $(head -20 report)"
done
xz -dc numbers.xz | cmp - numbers || die "xz under racecheck"
