# Coverage: the lines that gcov says were executed, functions entered, blocks that lie in their images; after a crash, in a forked child,
# before an exec; genhtml reads the lcov file.
. "$ROOT/tests/tools/lib.sh"
cp "$src/known.c" .
gcc -O0 -g -pthread -o known known.c && gcc -O0 -g -pthread --coverage -o known-gcov known.c || die "known.c does not build"
./known-gcov >/dev/null
gcov -b -t known-gcov-known.gcda >gcov.txt 2>err || gcov -t *known.gcda >gcov.txt 2>err || die "gcov: $(cat err)"
for way in "" crash fork exec; do
    $COTTER run coverage --json -o "r$way" -drcov "d$way" -lcov "l$way" -- ./known $way >/dev/null 2>err || [ $? = 139 ] || die "$(cat err)"
done
cat >check.py <<'END'
import glob, json, re, struct
def lcov(f):
    lines, functions = {}, {}
    for l in open(f):
        l = l.strip()
        if l.startswith("SF:"):
            mine = l.endswith("/known.c")
        elif l.startswith("DA:") and mine:
            n, count = map(int, l[3:].split(","))
            lines[n] = count
        elif l.startswith("FNDA:") and mine:
            count, name = l[5:].split(",")
            functions[name] = int(count)
    return lines, functions
lines, functions = lcov("l")

# gcov: "        5:   12:source" for a line that ran, "#####" for one that did not, "-" for one without code.
truth = {}
for l in open("gcov.txt"):
    m = re.match(r"\s*(\S+):\s*(\d+):(.*)", l)
    if m and int(m.group(2)) and m.group(1) != "-":
        truth[int(m.group(2))] = m.group(1).rstrip("*")
# gcov counts the beginning of a function on the line of its name, the compiler's line table on that of its brace: left out.
source = open("known.c").read().split("\n")
inner = lambda ns: {n for n in ns if source[n - 1].startswith(" ")}
covered = {n for n, c in truth.items() if c not in ("#####", "=====")}
assert inner(lines) == inner(truth), ("lines with code", inner(lines) ^ inner(truth))
assert inner(n for n in lines if lines[n]) == inner(covered), ("executed", inner(n for n in lines if lines[n]) ^ inner(covered))
assert len(inner(covered)) > 20 and inner(set(truth) - covered)
# Lines that are one straight piece run as often as gcov says.
for n, c in truth.items():
    if re.match(r"\s+(sink \+=|leaf\(|longjmp|leave_by_jump\(depth|free|nest)", source[n - 1]) and c.isdigit():
        assert lines[n] == int(c), (n, lines[n], c)
assert functions["never_called"] == 0 and functions["fib"] == 177 and functions["leaf"] == 5000, functions
report = json.load(open("r"))
assert "never_called" in [f["function"] for f in report["missed_functions"]]

# drcov: text, then 8 bytes for each block.
def drcov(f):
    data = open(f, "rb").read()
    head, rest = data.split(b"BB Table: ")
    count, body = rest.split(b" bbs\n", 1)
    modules = {}
    for l in head.decode().split("\n"):
        w = l.split(", ")
        if len(w) == 7 and w[0].strip().isdigit():
            modules[int(w[0])] = (int(w[1], 16), int(w[2], 16), w[6])
    assert re.search(rb"count (\d+)", head).group(1) == b"%d" % len(modules)
    blocks = list(struct.iter_unpack("<IHH", body))
    assert len(blocks) == int(count)
    assert all(m in modules and modules[m][0] + o + s <= modules[m][1] and s for o, s, m in blocks)
    return modules, blocks
modules, blocks = drcov("d")
own = next(i for i, m in modules.items() if m[2].endswith("/known"))
ran = {b for o, s, m in blocks if m == own for b in range(o, o + s)}
symbols = {}
import subprocess
for l in subprocess.run(["nm", "known"], capture_output=True, text=True).stdout.split("\n"):
    w = l.split()
    if len(w) == 3:
        symbols[w[2]] = int(w[0], 16)
for name in ("main", "nest", "fib", "leaf", "memory", "leave_by_jump"):
    assert symbols[name] in ran, name
for name in ("never_called", "threads", "work"):
    assert symbols[name] not in ran, name

# Other ends: what ran is there, what did not is not.
line = lambda text: next(i + 1 for i, l in enumerate(source) if text in l)
crash, _ = lcov("lcrash")
assert crash[line("*(volatile char *)0 = 1")] and not crash[line("return 0;")], "crash"
_, parent = lcov("lfork")
child_file = glob.glob("lfork.*")
assert len(child_file) == 1
lines_child, child = lcov(child_file[0])
assert child["leaf"] == 1 and child["nest"] == 0 and lines_child[line("_exit(0)")] == 1, "fork"
assert lcov("lexec")[0][line("execl(")] == 1, "exec"
assert drcov(glob.glob("dfork.*")[0])[1]
END
python3 check.py || die "differs from gcov"
genhtml -q -o html l >genhtml.out 2>&1 || die "genhtml: $(cat genhtml.out)"
grep -q 'known\.c' html/index.html "html/"*/index.html 2>/dev/null || die "genhtml's page does not name the source"
