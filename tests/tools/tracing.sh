# Traces of a program against a debugger that steps through it: instructions in order, accesses to memory, the same as compact
# binary, ChampSim's records read back, block vectors whose sums are the count of instructions.
. "$ROOT/tests/tools/lib.sh"
program addresses
stepper=$PROG
PROG=$PWD/mixed
gcc -nostdlib -static -no-pie -DROUNDS=60 -o "$PROG" "$src/mixed.S" || die "mixed.S does not build"
"$stepper" "$PROG" >steps
objdump -d --no-show-raw-insn -M intel "$PROG" >listing
$COTTER run itrace -o itrace.out -- "$PROG"
$COTTER run itrace --json --skip 10 --limit 5 -o itrace.json -- "$PROG"
$COTTER run memtrace -o mem.txt -- "$PROG" 2>mem.sum
$COTTER run memtrace --binary -o mem.bin -- "$PROG" 2>&1
$COTTER run champsim -o champ -- "$PROG" 2>&1
$COTTER run champsim -o part --skip 100 --limit 50 -- "$PROG" 2>&1
setarch -R $COTTER run champsim -o champ.fixed -- "$PROG" 2>&1
setarch -R $COTTER run champsim --json -o champ.json -- "$PROG" 2>&1
$COTTER run bbv --interval 1000 -o bbv -- "$PROG" 2>bbv.sum
$COTTER run bbv --interval 1000 --json -o bbv.json -- "$PROG" 2>&1
cat >check.py <<'END'
import json, re, struct
steps = [int(x, 16) for x in open("steps")]
text = {}
for line in open("listing"):
    m = re.match(r"\s*([0-9a-f]+):\s+(\S.*)", line)
    if m:
        text[int(m.group(1), 16)] = m.group(2)
after = dict(zip(sorted(text), sorted(text)[1:]))

trace = [int(l.split()[1], 16) for l in open("itrace.out")]
assert trace == steps, (len(trace), len(steps), [i for i, (a, b) in enumerate(zip(trace, steps)) if a != b][:1])
assert [int(json.loads(l)["address"], 16) for l in open("itrace.json")] == steps[10:15]

# memtrace: what each instruction of this program touches, from its source.
accesses = [(int(p, 16), k, int(a, 16), int(n)) for _, p, k, a, n in (l.split() for l in open("mem.txt"))]
def expected(a):
    t = text[a]
    if t.startswith("rep stos") and a == min(x for x in text if text[x].startswith("rep stos")): return "W1"
    if t.startswith("rep stos"): return ""                      # the second: no iteration
    if "movs " in t and t.startswith("rep"): return "R8W8"
    if t.startswith("repnz scas") or t.startswith("lods"): return "R1"
    if t.startswith("repz cmps"): return "R1R1"
    if t.startswith("movs "): return "R1W1"
    if t.startswith("call"): return "W8"
    if t.startswith("ret") or t.startswith("pop"): return "R8"
    if t.startswith("mov ") and "BYTE PTR [rip" in t: return "W1"
    if t.startswith("add ") and "QWORD PTR [rip" in t: return "R8W8"
    if t.startswith("movsxd"): return "R4"
    return ""
want = [(a, e[0], int(e[1])) for a in steps for e in re.findall(r"[RW]\d", expected(a))]
got = [(p, k, n) for p, k, a, n in accesses]
assert got == want, (len(got), len(want), [(hex(g[0]), g, w) for g, w in zip(got, want) if g != w][:2])
stosb = [a for p, k, a, n in accesses if p == accesses[0][0]]
assert stosb == list(range(stosb[0], stosb[0] + 300)), "rep stosb writes 300 bytes in a row"
assert open("mem.sum").read().startswith("memtrace: {:,} reads, {:,} writes".format(
    sum(k == "R" for _, k, _ in want), sum(k == "W" for _, k, _ in want)))

# The binary form, by its description alone.
data = open("mem.bin", "rb").read()
assert data[:8] == b"CTMEM1\n\0"
at, sites, decoded = 8, [], []
def varint(p):
    n = shift = 0
    while True:
        b = data[p]
        n |= (b & 0x7f) << shift
        p, shift = p + 1, shift + 7
        if not b & 0x80:
            return n, p
while at < len(data):
    kind, thread, size = struct.unpack_from("<BII", data, at)
    at += 9
    end = at + size
    if kind == ord("S"):
        sites += [(pc, chr(k), n) for pc, n, k in struct.iter_unpack("<QIB", data[at:end])]
    else:
        last, p = {}, at
        while p < end:
            site, p = varint(p)
            z, p = varint(p)
            last[site] = (last.get(site, 0) + ((z >> 1) ^ -(z & 1))) & (1 << 64) - 1
            pc, k, n = sites[site]
            decoded.append((pc, k, last[site], n))
    at = end
stack = lambda a: a > 0x7f0000000000        # the stack's place differs between two runs
assert len(decoded) == len(accesses) and all(x[0] == y[0] and x[1] == y[1] and x[3] == y[3] and
       (x[2] == y[2] or stack(x[2]) and stack(y[2])) for x, y in zip(decoded, accesses))
assert len(data) * 4 < len(open("mem.txt").read()), "compact"

# ChampSim: 64 bytes each; a branch is taken when the next record is elsewhere.
records = [dict(ip=r[0], is_branch=r[1], taken=r[2], dreg=r[3:5], sreg=r[5:9], dmem=r[9:11], smem=r[11:15])
           for r in struct.iter_unpack("<QBB2B4B2Q4Q", open("champ", "rb").read())]
assert [r["ip"] for r in records] == steps
SP, FLAGS, IP = 6, 25, 26
reads = writes = 0
for r, n in zip(records, records[1:]):
    t = text[r["ip"]].split()[0]
    is_flow = re.match("j|call|ret|loop", t) is not None
    assert bool(r["is_branch"]) == is_flow, (t, r)
    if is_flow:
        assert bool(r["taken"]) == (n["ip"] != after.get(r["ip"]) or re.match("jmp|call|ret", t) is not None), (t, r)
        assert IP in r["dreg"], (t, r)
        if re.match("j[^m]", t) and t != "jrcxz":
            assert FLAGS in r["sreg"] and IP in r["sreg"], (t, r)
        if t.startswith("call") or t == "ret":
            assert SP in r["sreg"] and SP in r["dreg"], (t, r)
    # The simulator's own rules give the kind that the instruction has.
    w, s = set(r["dreg"]), set(r["sreg"]) - {0}
    other, kind = bool(s - {SP, FLAGS, IP}), None
    if IP in w:
        kind = ("jump" if not s & {SP, FLAGS} and not other else "indirect jump" if not s & {SP, IP, FLAGS} else
                "conditional" if IP in s and SP not in s | w else "return" if SP in s & w and IP not in s else
                "indirect call" if {SP, IP} <= s and SP in w and other else "call" if {SP, IP} <= s and SP in w else "?")
    indirect = "indirect " if re.search(r"(jmp|call)\s+(r..|QWORD)", text[r["ip"]]) else ""
    known = {"jmp": indirect + "jump", "call": indirect + "call", "ret": "return"}
    assert kind == (known.get(t, "conditional") if is_flow else None), (text[r["ip"]], kind, r)
    reads += sum(a != 0 for a in r["smem"])
    writes += sum(a != 0 for a in r["dmem"])
assert (reads, writes) == (sum(k == "R" for _, k, _ in want), sum(k == "W" for _, k, _ in want)), (reads, writes)
assert open("part", "rb").read() and [r[0] for r in struct.iter_unpack("<Q56s", open("part", "rb").read())] == steps[100:150]

# The same as JSON, where addresses are the same.
hexes = lambda l: [int(a, 16) for a in l]
used = lambda l: [x for x in l if x]
for r, l in zip(struct.iter_unpack("<QBB2B4B2Q4Q", open("champ.fixed", "rb").read()), open("champ.json")):
    j = json.loads(l)
    assert (int(j["ip"], 16), j["is_branch"], j["is_taken"], j["destination_registers"], j["source_registers"]) == \
           (r[0], r[1], r[2], used(r[3:5]), used(r[5:9])), (r, j)
    assert (hexes(j["destination_memory"]), hexes(j["source_memory"])) == (used(r[9:11]), used(r[11:15])), (r, j)
assert sum(1 for _ in open("champ.json")) == len(records)

# bbv: sums of vectors; every interval but the last is as long as asked for, up to a block.
vectors = [dict(map(int, e.split(":")) for e in l[2:].strip().split(" :")) for l in open("bbv")]
assert sum(sum(v.values()) for v in vectors) == len(steps)
lengths = [sum(v.values()) for v in vectors]
assert all(900 <= n <= 1100 for n in lengths[:-1]), lengths
blocks = {int(l.split()[0]): int(l.split()[2]) for l in open("bbv.blocks")}
assert all(n % blocks[b] == 0 for v in vectors for b, n in v.items())
assert [{int(b): n for b, n in json.loads(l)["blocks"].items()} for l in open("bbv.json")] == vectors
assert {j["block"]: j["length"] for j in map(json.loads, open("bbv.json.blocks"))} == blocks
END
python3 check.py || die "a trace differs from the single-stepped truth"

# Threads: a vector file for each, all instructions accounted for; the counts of threads are those of icount.
program known -O0
$COTTER run bbv --interval 2000 -o t -- "$PROG" threads >/dev/null 2>&1
[ -e t ] && [ -e t.1 ] && [ -e t.4 ] || die "bbv: files of threads: $(ls t*)"
$COTTER run champsim -main -o c -- "$PROG" threads >/dev/null 2>&1
python3 - <<'END' || die "threads"
import os
sizes = sorted(os.path.getsize("c.%d" % i) // 64 for i in range(1, 5))
step = sizes[1] - sizes[0]
assert step > 5000 and all(b - a == step for a, b in zip(sizes, sizes[1:])), sizes     # 1000 more calls each
END

# Each element of a gather or scatter that is not masked off; ChampSim has room for four read and two written.
if grep -qw avx2 /proc/cpuinfo; then
    PROG=$PWD/gathers
    scatter=$(grep -qw avx512vl /proc/cpuinfo && echo -DSCATTER)
    gcc -nostdlib -static -no-pie $scatter -o "$PROG" "$src/gathers.S" || die "gathers.S"
    nm "$PROG" >symbols
    $COTTER run memtrace -o gathers.mem -- "$PROG" 2>/dev/null
    $COTTER run champsim -o gathers.champ -- "$PROG" 2>/dev/null
    python3 - $scatter <<'END' || die "gathers"
import struct, sys
at = {l.split()[2]: int(l.split()[0], 16) for l in open("symbols")}
table = lambda plus, *index: [at["table"] + 8 * i + plus for i in index]
want = {at["first"]: ("R", table(0, 5, 0, 9, 2)), at["second"]: ("R", table(8, 5, 2))}
records = {r[0]: r for r in struct.iter_unpack("<QBB2B4B2Q4Q", open("gathers.champ", "rb").read())}
text = open("gathers.mem").read().split("\n")
accesses = {}
for l in text:
    if l:
        _, pc, kind, a, n = l.split()
        accesses.setdefault(int(pc, 16), []).append((kind, int(a, 16), int(n)))
if len(sys.argv) > 1:
    want[at["third"]] = ("W", table(0, 5, 0, 2))
for pc, (kind, where) in want.items():
    assert accesses[pc] == [(kind, a, 8) for a in where], (hex(pc), accesses[pc], where)
    mine = records[pc][11:15] if kind == "R" else records[pc][9:11]
    assert [a for a in mine if a] == where[:len(mine)], (hex(pc), mine, where)
END
fi
