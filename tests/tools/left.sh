# Blocks that are left in the middle: every counting tool counts what a single-stepping debugger counts, after faults whose handler
# steps over them, after one that kills, and after signals whose handlers return or go elsewhere.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program step
step=$PROG
program faults
faults=$PROG
program interrupts

cat > read.py <<'P'
import json, re, sys
tool, report, bbv = sys.argv[1:]
if tool == "bbv":
    print(sum(int(n) for line in open(bbv) for n in re.findall(r":\d+:(\d+)", line)))
else:
    r = json.load(open(report))
    n = r["instructions"]
    parts = {"opcodemix": ("mix", "count"), "catmix": ("mix", "count"), "bbcount": ("blocks", "instructions"), "callgraph": ("routines", "self"),
             "toprtn": ("routines", "instructions"), "proccount": ("procedures", "instructions")}.get(tool)
    s = sum(row[parts[1]] for row in r[parts[0]]) if parts else n
    print(n if n == s else "%d, but its rows have %d" % (n, s))
P
tools="icount opcodemix catmix ldstmix regmix jumpmix bbcount proccount toprtn callgraph bbv"
count() {                                       # count TOOL MODE PROGRAM...: instructions; the program's output is in `out`
    local name=$1 mode=$2
    shift 2
    rm -f r r.[0-9]* r.blocks
    case $name in
    bbv) $COTTER -q $mode run bbv -interval 1000 -o r -- "$@" > out 2> err ;;
    *) $COTTER -q $mode run $name --json -o r -- "$@" > out ;;
    esac
    python3 read.py $name r r
}
for end in "" exit; do
    truth=$("$step" "$faults" $end)
    for t in $tools; do
        same "$t: faults $end" "$truth" "$(count $t "" "$faults" $end)"
    done
done
for t in callgraph opcodemix edgecount; do
    $COTTER -q --max-trace-ins=1 run $t --json -o one -- "$faults" exit
    $COTTER -q run $t --json -o many -- "$faults" exit
    [ $t = edgecount ] || same "$t: one instruction per trace" "$(python3 read.py $t one x)" "$(python3 read.py $t many x)"
done
# Edges between instructions are counted one by one with traces of one instruction: those of branches are the same.
python3 - <<'P' || die "edges of branches differ"
import json
def branches(file):
    return {(e["from"], e["to"]): e["count"] for e in json.load(open(file))["edges"] if not 0 < int(e["to"], 16) - int(e["from"], 16) <= 15 }
a, b = branches("one"), branches("many")
assert a and a == b, (a, b)
P

# The instructions of the loop differ from run to run and are told by the program; all others are the same.
rest() { echo $(($1 - $(od -An -td8 -N8 out))); }
"$step" "$PROG" > both
head -c 8 both > out
truth=$(rest $(tail -c +9 both))
for t in $tools; do
    same "$t: signals" "$truth" "$(rest $(count $t "" "$PROG"))"
done
for mode in "--max-trace-ins=7" "--no-link" "--no-inline" "--opt=none"; do
    same "icount $mode: signals" "$truth" "$(rest $(count icount $mode "$PROG"))"
    same "opcodemix $mode: signals" "$truth" "$(rest $(count opcodemix $mode "$PROG"))"
done
