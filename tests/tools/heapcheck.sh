# heapcheck on small programs: each of heap/bad has one error, whose kind its first line tells and whose line is marked BUG;
# each of heap/good has none. Then programs of the system, with and without -f, and the options.
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

bad=0 good=0 failed=
for s in "$corpus"/bad/*; do
    build "$s"
    kind=$(sed -n '1s/.*error: \([a-z-]*\).*/\1/p' "$s")
    $COTTER -q run heapcheck -json -o "report" -- "$PROG" >/dev/null 2>&1
    [ -s report ] || die "$s: no report"
    /usr/bin/python3 judge.py "$kind" "$s" report || failed=1
    rm report
    bad=$((bad + 1))
done
for s in "$corpus"/good/*; do
    build "$s"
    $COTTER -q run heapcheck -json -o "report" -- "$PROG" >out 2>err || die "$s: status $? $(cat err)"
    /usr/bin/python3 judge.py none "$s" report || failed=1
    rm report
    good=$((good + 1))
done
[ $bad -ge 40 ] && [ $good -ge 40 ] || die "the corpus has $bad and $good programs"
[ -z "$failed" ] || exit 1

# Programs of the system: perl leaves blocks unfreed on purpose when it exits (any leak checker says so), the others do not.
clean() { # OPTIONS -- PROGRAM...
    rm -f r-*
    $COTTER -q -f run heapcheck -json -o r-%p "$@" >/dev/null 2>err </dev/null || die "$*: status $? $(cat err)"
    for r in r-*; do
        /usr/bin/python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit("false alarm: %s" % d["list"] if d["errors"] else 0)' "$r" ||
            die "$*: false alarm"
    done
}
clean -- bash -c 'a=(1 2 3); for i in "${a[@]}"; do x=$(echo $((i * 2))); [[ $x =~ ^[0-9]+$ ]] && echo "${x/2/z}"; done; printf "%s\n" {a..e} | head -2'
clean -- /usr/bin/python3 -c 'import json, re, collections; print(json.dumps({str(i): [i] * i for i in range(50)}), re.sub("a+", "b", "caaat"), sorted(collections.Counter("hello").items()))'
clean -no-leaks -- perl -e 'my %h = map { $_ => $_ ** 2 } 1 .. 200; my $s = join ",", sort { $h{$a} <=> $h{$b} } keys %h; $s =~ s/(\d)5/x$1/g; print length($s), "\n"; printf "%s\n", reverse sprintf("%05d", 42)'
clean -- ls -l /
clean -- sed -n '/root/s/o/0/gp' /etc/passwd

# The options; a static program; a program that dies.
run() { $COTTER -q run heapcheck "$@" 2>&1; }
PROG=$bin/double_free-c
run -help -- true | grep -q "suppressions" || die "help"
run -- "$PROG" | grep -q "^1. Block is freed twice, by free$" || die "text: $(run -- "$PROG")"
run -- "$PROG" | grep -q "  *at main.*double_free.c:9" || die "source line: $(run -- "$PROG")"
echo "double-free main  # known" > supp
run -suppressions supp -- "$PROG" | grep -q "^heapcheck: 0 errors" || die "suppression by routine: $(run -suppressions supp -- "$PROG")"
echo "* ... *double_free*" > supp
run -suppressions supp -- "$PROG" | grep -q "^1 suppressed" || die "suppression by image"
echo "leak main" > supp
run -suppressions supp -- "$PROG" | grep -q "^heapcheck: 1 error " || die "suppression of another kind"
run -suppressions missing -- "$PROG" | grep -q "cannot read the suppressions" || die "missing suppressions"
run -no-unset -- "$bin/unset_branch-c" | grep -q "^heapcheck: 0 errors" || die "-no-unset"
run -no-leaks -- "$bin/leak_one-c" | grep -q "^heapcheck: 0 errors" || die "-no-leaks"
gcc -g -O1 -w -fno-builtin -static -o static "$corpus/bad/off_by_one_string.c" || die "no static libc"
run -- ./static | grep -q "Write of 6 bytes outside of a block, by strcpy" || die "static: $(run -- ./static)"
cat > dies.c <<'C'
#include <stdlib.h>
int main(void) { int *p = malloc(4); p[1] = 1; abort(); }
C
gcc -g -O0 -o dies dies.c
run -- ./dies > out
[ $? -ne 0 ] && grep -q "Write of 4 bytes outside" out || die "death by a signal: $(cat out)"
