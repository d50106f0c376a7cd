# opcodemix by image, routine and block against a disassembler's listing, and the table that compares two runs: a routine without
# branches executes each of its instructions once in a call.
. "$ROOT/tests/tools/lib.sh"
program known -O0
objdump -d --no-show-raw-insn -M intel "$PROG" | sed -n '/<leaf>:/,/^$/p' >listing
for by in image routine block; do
    $COTTER run opcodemix -by $by --json -o $by.json -- "$PROG" >/dev/null 2>err || die "-by $by: $(cat err)"
done
$COTTER run opcodemix -by routine --json -o threads.json -- "$PROG" threads >/dev/null 2>err || die "threads: $(cat err)"
$COTTER run opcodemix --compare routine.json threads.json -routine leaf >compared || die "--compare"
$COTTER run opcodemix --compare routine.json threads.json >all || die "--compare"
cat >check.py <<'END'
import collections, json, re
CALLS, MORE = 5000, 10000                       # of leaf; three threads call it 2000, 3000 and so on times
code = [m.group(2) for m in (re.match(r"\s*([0-9a-f]+):\s+(\S+)", l) for l in open("listing")) if m]
known = collections.Counter({"ret": "RET_NEAR"}.get(n, n.upper()) for n in code)
load = lambda f: json.load(open(f + ".json"))
def rows(f, table, **where):
    return [r for r in load(f)[table] if all(re.search(v, r[k]) for k, v in where.items())]
leaf = {r["opcode"]: r for r in rows("routine", "routines", routine="^leaf$")}
assert {o: r["count"] for o, r in leaf.items()} == {o: n * CALLS for o, n in known.items()}, leaf
assert {o: r["static"] for o, r in leaf.items()} == dict(known), leaf
for r in leaf.values():
    assert abs(r["share"] - 100 * r["count"] / load("routine")["instructions"]) < 0.001, r
# Each table has every instruction in it once.
for by in "image", "routine", "block":
    d = load(by)
    assert sum(r["count"] for r in d[by + "s"]) == sum(r["count"] for r in d["mix"]) == d["instructions"], by
blocks = collections.Counter()
for r in rows("block", "blocks", block="leaf"):
    blocks[r["opcode"]] += r["count"]
assert blocks == {o: n * CALLS for o, n in known.items()}, blocks
own = sum(r["count"] for r in rows("image", "images", image="prog-known$"))
assert CALLS * len(code) < own < load("image")["instructions"]

# The table of differences: opcode, A, B, B - A; a mark where it is more than a hundredth of A.
def table(f):
    lines = [l.replace(",", "").split() for l in open(f)]
    at = lines.index(["opcode", "A", "B", "delta"])
    return {w[0]: (int(w[1]), int(w[2]), int(w[3]), len(w) > 4) for w in lines[at + 1:] if w}
t = table("compared")
total = t.pop("*total")
assert total == (CALLS * len(code), (CALLS + MORE) * len(code), MORE * len(code), True), total
assert t == {o: (n * CALLS, n * (CALLS + MORE), n * MORE, True) for o, n in known.items()}, t
t = table("all")
total = t.pop("*total")
a, b = ({r["opcode"]: r["count"] for r in load(f)["mix"]} for f in ("routine", "threads"))
assert t.keys() == a.keys() | b.keys()
for o, (x, y, delta, marked) in t.items():
    assert (x, y, delta) == (a.get(o, 0), b.get(o, 0), b.get(o, 0) - a.get(o, 0)), o
    assert marked == (abs(delta) > total[0] // 100), (o, delta)
END
python3 check.py || die "differs"
