# lib.sh: for the tests of heapcheck. Each program of bad/ has one error, whose kind its first line tells and whose line is
# marked BUG; those of good/ have none.
. "$ROOT/tests/tools/lib.sh"
corpus=$ROOT/tests/tools/heap
bin=$BUILD/tools/heap
mkdir -p "$bin"

build() { # SOURCE: its program is in $PROG
    PROG=$bin/$(basename "$1" | tr . -)
    newer "$PROG" "$1" && return
    local cc=gcc
    case $1 in *.cpp) cc=g++;; esac
    $cc -g -O1 -w -fno-builtin -D_GNU_SOURCE -pthread -o "$PROG.$$" "$1" -ldl || die "$1 does not build"
    mv "$PROG.$$" "$PROG"
}

# One reader for all reports: prints the kinds that were found with the lines of the program in their stacks.
cat > judge.py <<'P'
import json, sys, re
kind_wanted, source, report = sys.argv[1:4]
lines = [n for n, l in enumerate(open(source), 1) if "/* BUG */" in l]
found = json.load(open(report))
name = re.escape(source.rsplit("/", 1)[1])
def at(stack):
    for frame in stack:
        m = re.search(name + r":(\d+)", frame)
        if m: return int(m[1])
kinds = set()
for e in found["list"]:
    where = at(e["block"]["made"] if "leak" in e["kind"] else e["stack"])
    kinds.add((e["kind"], where))
if kind_wanted == "none":
    sys.exit(f"{source}: false alarm: {kinds}" if kinds else 0)
if not any(k == kind_wanted and where in lines for k, where in kinds):
    sys.exit(f"{source}: expected {kind_wanted} at line {lines}, got {kinds}")
allowed = lines + [n for n, l in enumerate(open(source), 1) if "/* BUG2 */" in l]
if any(where not in allowed for k, where in kinds if k != "indirect-leak"):
    sys.exit(f"{source}: more than the error at {allowed}: {kinds}")
P
