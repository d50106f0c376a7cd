# tlbsim, reuse and footprint against what Python makes of the accesses that they saw.
. "$ROOT/tests/tools/lib.sh"
program cachewalk -static
walk=$PROG
cat > ref.py <<'P'
import json, sys
from collections import OrderedDict
what = sys.argv[1]
d = json.load(open("report"))
accesses = [(int(t), k, int(a, 16), int(n)) for t, k, a, n in (l.split() for l in open("record"))]
def units(a, n, unit): return range(a // unit, (a + n - 1) // unit + 1)

def lru(size, ways):
    sets = [OrderedDict() for _ in range(size // ways)]
    def miss(line):
        s = sets[line % len(sets)]
        hit = line in s
        if not hit and len(s) == ways: s.popitem(last=False)
        s[line] = 1
        s.move_to_end(line)
        return not hit
    return miss

if what == "tlb":
    cores, got = {}, {"ITLB": [0, 0], "DTLB": [0, 0], "STLB": [0, 0]}
    for t, k, a, n in accesses:
        c = cores.setdefault(t, {"ITLB": lru(8, 2), "DTLB": lru(8, 4), "STLB": lru(24, 3)})
        first = "ITLB" if k == "I" else "DTLB"
        for page in units(a, n if k != "I" else 1, 4096):
            for level in first, "STLB":
                got[level][0] += 1
                if not c[level](page): break
                got[level][1] += 1
    tool = {r["level"]: [r["accesses"], r["misses"]] for r in d["levels"]}
    assert tool == got, (tool, got)
    assert d["page_walks"] == got["STLB"][1]
elif what == "reuse":
    stack, count, new, touches = [], {}, 0, 0       # newest last
    for t, k, a, n in accesses:
        if k == "I": continue
        for line in units(a, n, 64):
            touches += 1
            if line in stack:
                at = stack.index(line)
                b = (len(stack) - 1 - at).bit_length()
                count[b] = count.get(b, 0) + 1
                del stack[at]
            else: new += 1
            stack.append(line)
    tool = {r["to"].bit_length(): r["touches"] for r in d["histogram"] if r["touches"]}
    assert (tool, d["touches"], d["first_touches"]) == (count, touches, new), (tool, count)
    hits = 0
    for r in d["histogram"]:
        hits += r["touches"]
        assert r["misses"] == touches - hits
else:
    unit, seen = int(sys.argv[2]), {"I": set(), "R": set(), "W": set()}
    for t, k, a, n in accesses: seen[k].update(units(a, n if k != "I" else 1, unit))
    want = [len(seen[k]) for k in "IRW"] + [len(seen["I"] | seen["R"] | seen["W"])]
    tool = [d["code"], d["read"], d["written"], d["units"]]
    assert tool == want, (tool, want)
    rows = d["intervals"]
    assert sum(r["new"] for r in rows) == rows[-1]["total"] == d["units"] and len(rows) > 3
    assert max(r["touched"] for r in rows) == d["largest_working_set"]
P
run() { rm -f record report; $COTTER -q run "$@" -record record -json -o report -- "$walk" threads || die "$*: status $?"; }
run tlbsim -itlb 8,2 -dtlb 8,4 -stlb 24,3
/usr/bin/python3 ref.py tlb || die tlbsim
run reuse
/usr/bin/python3 ref.py reuse || die reuse
for unit in 4096 64; do
    run footprint -unit $unit -interval 5000
    /usr/bin/python3 ref.py footprint $unit || die "footprint -unit $unit"
done
# What is recorded goes another way than what is not: both tell the same, where addresses and blocks are the same.
for t in tlbsim reuse footprint; do
    setarch -R $COTTER -q --no-leaf-calls --max-trace-ins=16 run $t -json -o easy -- "$walk"
    setarch -R $COTTER -q --no-leaf-calls --max-trace-ins=16 run $t -record record -json -o recorded -- "$walk"
    same "$t, recorded or not" "$(grep -v '"pid"' recorded)" "$(grep -v '"pid"' easy)"
done
n=$($COTTER -q run icount -json -o /dev/stdout -- "$walk" | sed -n 's/^ "instructions": \([0-9]*\).*/\1/p')
$COTTER -q run footprint -interval 5000 -json -o report -- "$walk"
last=$(/usr/bin/python3 -c 'import json; print(json.load(open("report"))["intervals"][-1]["until_instruction"])')
same "instructions of footprint" "$n" "$last"
$COTTER run tlbsim -page 5000 -- true 2>&1 | grep -q "power of two" || die "bad page size"
$COTTER run reuse -line 65 -- true 2>&1 | grep -q "power of two" || die "bad line size"
