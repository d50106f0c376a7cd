# Counts against valgrind's lackey and callgrind: exactly where a program has no libraries, and per image where it has some.
# What differs, and why: docs/for-valgrind-users.md.
# test-timeout: 600
. "$ROOT/tests/tools/lib.sh"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 0; }
cat >check.py <<'END'
import collections, json, os, re, subprocess, sys
cotter = os.environ["COTTER"].split()

def lines(command):
    p = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return p.stderr

def report(tool, options, command):
    lines(cotter + ["run", tool, "-json", "-o", "r.json"] + options + ["--"] + command)
    return json.load(open("r.json"))

def number(text, what):
    return int(re.search(what + r"\s*:?\s+([\d,]+)", text).group(1).replace(",", ""))

# Programs without libraries. VEX enters a repeated string instruction once more when its count has run out: `ended` of them.
# lackey's conditional jumps have the repetitions among them; callgrind does not count the last block, which exit never leaves.
def bare(program, ended, repeats):
    said = lines(["valgrind", "--tool=lackey", program])
    count = report("icount", [], [program])["instructions"]
    assert number(said, "guest instrs") == count + ended, (program, number(said, "guest instrs"), count)
    if not repeats:
        kind = {k["kind"]: k for k in report("jumpmix", [], [program])["kinds"]}["conditional branch"]
        assert (number(said, "total"), number(said, "taken")) == (kind["executed"], kind["taken"]), program
    said = lines(["valgrind", "--tool=callgrind", "--callgrind-out-file=cg.out", program])
    last = count + ended - number(said, "Collected")
    assert 0 < last <= 6, (program, last)

def by_image(file):
    sums, image, is_call = collections.Counter(), None, False
    for line in open(file):
        if line.startswith("ob="):
            image = os.path.basename(line[3:].strip())
        elif line.startswith("calls="):
            is_call = True                                  # the line below is what the callee cost
        elif line[:1].isdigit() or line[:1] in "+-*" and line.strip():
            sums[image] += 0 if is_call else int(line.split()[-1])
            is_call = False
    return sums

# Programs with libraries: the image that does the work. callgrind books the stubs of calls to libraries, and the start and end
# code that has no symbols, under "???": a few instructions of each image.
def work(image, command):
    ours = {os.path.basename(i["image"]): i["instructions"] for i in report("icount", ["-images"], command)["images"]}
    lines(["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--callgrind-out-file=cg.out"] + command)
    theirs = by_image("cg.out")
    assert ours[image] > 10000, (command[0], ours)
    # Not these: libc chooses its string routines by the CPU, and valgrind shows it a smaller one; ld.so loads a library for valgrind,
    # too; the vdso is not there under valgrind.
    for i in set(ours) - {"libc.so.6", "ld-linux-x86-64.so.2", "[vdso]"}:
        assert -20 <= ours[i] - theirs[i] <= 20 + theirs["???"], (command[0], i, ours[i], theirs[i])

for name, ended, repeats in (("mixed", 4, True), ("branches", 0, False), ("reps", 3, True)):
    bare(sys.argv[1] + name, ended, repeats)
text = sys.argv[2]
work("gzip", ["gzip", "-c", text])
work("libbz2.so.1.0.4", ["bzip2", "-c", text])
work("sort", ["sort", text])
work("sed", ["sed", "-n", "s/a/b/gp", text])
work("ls", ["/bin/ls", "-l", "/usr"])
print("as valgrind counts")
END
for p in mixed branches reps; do program $p; done
export COTTER
export LC_ALL=C
same "valgrind" "as valgrind counts" "$(/usr/bin/python3 check.py "$BUILD/tools/prog-" "$ROOT/docs/words.md" 2>&1)"
