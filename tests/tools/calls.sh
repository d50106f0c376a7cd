# Calls of a program whose numbers are known: procedures, arguments and results, the heap, loops; with threads, after a crash, in a
# forked child. Costs of its routines against valgrind's callgrind.
. "$ROOT/tests/tools/lib.sh"
program known -O0
r() { local t=$1; shift; $COTTER run $t "$@" >/dev/null 2>err || [ $? = 139 ] || die "$t $*: $(cat err)"; }
r proccount --json -o plain.json -- "$PROG"
r proccount --json -o threads.json -- "$PROG" threads
r proccount --json -o crash.json -- "$PROG" crash
r proccount --json -o fork.json -- "$PROG" fork
r hotloops --json -o loops.json -- "$PROG"
r icount --json -o icount.json -- "$PROG" threads
r toprtn --json -o toprtn.json -- "$PROG" threads
r calltrace --main --returns --json -o calls.json -- "$PROG"
r funcargs -f 'fib,leave_by_jump,work' --json -o args.json -- "$PROG"
r funcargs -f 'leaf' -args 1 -o args.txt -- "$PROG" crash
r malloctrace --trace --json -o heap.json -- "$PROG"
r callgraph --json -o graph.json -callgrind cg.cotter -folded folded -svg flame.svg -- "$PROG"
r callgraph --json -o graph-threads.json -- "$PROG" threads
valgrind -q --tool=callgrind --callgrind-out-file=cg.valgrind "$PROG" >/dev/null 2>&1 || die "valgrind fails"
for f in cotter valgrind; do
    callgrind_annotate --threshold=100 --inclusive=yes cg.$f >inclusive.$f 2>err || die "callgrind_annotate: $(cat err)"
    callgrind_annotate --threshold=100 cg.$f >self.$f 2>err || die "callgrind_annotate: $(cat err)"
done
cat >check.py <<'END'
import collections, glob, json, re, xml.dom.minidom
load = lambda f: json.load(open(f))
calls = lambda f: {p["procedure"]: p["calls"] for p in load(f)["procedures"] if p["image"] == "prog-known"}
FIB = 177                                               # calls of fib(10)
c = calls("plain.json")
assert c["leaf"] == 5000 and c["fib"] == FIB and c["leave_by_jump"] == 6 and c["nest"] == c["main"] == 1, c
c = calls("threads.json")
assert c["leaf"] == 15000 and c["work"] == 4 and c["main"] == 1, c
assert calls("crash.json")["leaf"] == 5000 and load("crash.json")["exit"] == 139
assert calls("fork.json")["leaf"] == 5000
child = [f for f in glob.glob("fork.json.*")]
assert len(child) == 1 and calls(child[0])["leaf"] == 1 and "nest" not in calls(child[0]), child
total = load("icount.json")["instructions"]
assert len(load("icount.json")["threads"]) == 5
top = sum(r["instructions"] for r in load("toprtn.json")["routines"])
assert abs(top - total) < total / 10, (top, total)      # two runs: locks and the like differ a little

# Loops: 50 rounds of 100, each nested.
loops = sorted((l for l in load("loops.json")["loops"] if "nest" in l["place"] and "prog-known" in l["place"]), key=lambda l: l["depth"])
assert [(l["entries"], l["iterations"], l["depth"]) for l in loops] == [(1, 51, 1), (50, 5050, 2)], loops

# calltrace: every call has its return, but for those that were left by longjmp and those that never end.
events = [json.loads(l) for l in open("calls.json")]
count = collections.Counter((e["event"], e["routine"]) for e in events)
assert count["call", "fib"] == count["return", "fib"] == FIB and count["call", "leaf"] == count["return", "leaf"] == 5000
assert count["call", "leave_by_jump"] == 6
depth = {e["routine"]: e["depth"] for e in events if e["event"] == "call" and e["routine"] in ("main", "nest", "memory")}
assert depth["nest"] == depth["memory"] == depth["main"] + 1, depth

# funcargs: results are the sums of results; what longjmp leaves has none.
fib = lambda n: n if n < 2 else fib(n - 1) + fib(n - 2)
args = [json.loads(l) for l in open("args.json")]
stack, seen = [], collections.Counter()
for e in args:
    v = int(e["values"][0], 16)
    if e["event"] == "enter":
        seen[e["function"]] += 1
        if e["function"] == "fib":
            stack.append(v)
    elif e["function"] == "fib":
        assert v == fib(stack.pop()), e
assert not stack and seen["fib"] == FIB and seen["leave_by_jump"] == 6
assert not [e for e in args if e["event"] == "leave" and e["function"] == "leave_by_jump"]
assert sum("leaf(" in l for l in open("args.txt")) == 5000

# malloctrace: the calls of memory().
lines = open("heap.json").read().split("\n")
start = next(i for i, l in enumerate(lines) if l == "{")
trace = [json.loads(l) for l in lines[:start]]
report = json.loads("\n".join(lines[start:]))
mine = [(e["function"], e.get("size")) for e in trace][-6:]
assert mine == [("malloc", 1000), ("calloc", 300), ("realloc", 5000), ("posix_memalign", 640), ("free", None), ("free", None)], mine
by_name = {e["function"]: e for e in trace[-6:]}
assert trace[-2]["old"] == by_name["calloc"]["block"] and trace[-1]["old"] == by_name["realloc"]["block"]
assert report["functions"] and report["live_bytes_at_the_end"] >= 640

# callgraph: what callgrind says of the program's own routines, exactly. Recursion: callgrind adds inner calls up, the report does not.
def annotated(f):
    out = collections.Counter()                         # callgrind calls inner calls of a recursion fib'2
    for l in open(f):
        m = re.match(r"\s*([\d,]+) \([^)]*\)\s+\S*known\.c:(\w+)", l)
        if m:
            out[m.group(2)] += int(m.group(1).replace(",", ""))
    return out
for kind in ("self", "inclusive"):
    a, b = annotated(kind + ".cotter"), annotated(kind + ".valgrind")
    for name in ("leaf", "nest", "fib")[:3 if kind == "self" else 2]:
        assert a[name] == b[name], (kind, name, a[name], b[name])
    # Those that call libraries: callgrind counts the instructions of linkage stubs as the caller's, and libc takes other ways on
    # the CPU that valgrind shows it.
    for name in ("memory", "main"):
        assert abs(a[name] - b[name]) < (30 if kind == "self" else 0.15 * b[name]), (kind, name, a[name], b[name])
g = {r["routine"]: r for r in load("graph.json")["routines"] if r["image"] == "prog-known"}
own = annotated("self.cotter")
assert g["fib"]["calls"] == FIB and g["fib"]["inclusive"] == g["fib"]["self"] == own["fib"]
assert g["nest"]["inclusive"] == own["nest"] + own["leaf"] and g["leaf"]["calls"] == 5000
g = {r["routine"]: r for r in load("graph-threads.json")["routines"] if r["image"] == "prog-known"}
assert g["leaf"]["calls"] == 15000 and g["work"]["calls"] == 4 and g["work"]["inclusive"] > g["leaf"]["self"] / 2

# Folded stacks and the flame graph.
folded = collections.Counter()
for l in open("folded"):
    stack, n = l.rsplit(" ", 1)
    folded[stack.split(";")[-1]] += int(n)
assert folded["leaf"] == own["leaf"] and folded["fib"] == own["fib"], folded["leaf"]
assert sum(folded.values()) == load("graph.json")["instructions"]
svg = xml.dom.minidom.parse("flame.svg")
titles = [t.firstChild.data for t in svg.getElementsByTagName("title")]
assert any(t.startswith("nest (prog-known): ") for t in titles), titles[:5]
END
python3 check.py || die "differs from what is known"
