# cachesim against a simulation in Python of the accesses it saw, for each policy and several shapes, with threads on several
# cores; what it saw against an independent count of the program's accesses.
. "$ROOT/tests/tools/lib.sh"
program cachewalk -static
walk=$PROG
check() { # L1I L1D L2 L3 [ARGUMENT]
    local off2=$3 off3=$4
    rm -f record report
    $COTTER -q run cachesim -l1i "$1" -l1d "$2" -l2 "$3" -l3 "$4" -record record -json -o report -- "$walk" $5 || die "$*: status $?"
    /usr/bin/python3 "$ROOT/tests/tools/cache_ref.py" record report "$1" "$2" "$3" "$4" || die "$*"
}
check 4096,2,64,lru 2048,2,64,lru 8192,4,64,lru 32768,8,64,lru
check 4096,4,64,plru 2048,8,32,plru 8192,4,64,plru 32768,16,64,plru
check 4096,4,32,srrip 3072,6,64,srrip 8192,4,64,srrip 32768,16,128,srrip
check 4096,4,64,random 2048,4,64,random off 16384,4,64,random
check 2048,1,64,lru 1024,1,16,lru 4096,2,64,srrip off
check 4096,2,64,lru 2048,2,64,lru 8192,4,64,lru 32768,8,64,lru threads

# The two threads write to one line 200 times each in turn: each write but the first misses for that reason.
n=$(/usr/bin/python3 -c 'import json; print([l for l in json.load(open("report"))["levels"] if l["level"] == "L1D"][0]["coherence_misses"])')
[ "$n" -ge 398 ] || die "coherence misses: $n"
$COTTER -q run cachesim -cores 1 -json -o one -- "$walk" threads
grep -q '"coherence_misses": [1-9]' one && die "coherence misses on one core"

# What is recorded goes another way than what is not: both tell the same, where addresses and blocks are the same.
for policy in lru plru srrip random; do
    for with in "" "-record record"; do
        setarch -R $COTTER -q --no-leaf-calls --max-trace-ins=16 run cachesim -policy $policy -l1d 2048,4 -l1i 4096,4 -l2 16k,8 $with -json -o "report${with:+-recorded}" -- "$walk" || die "status $?"
        sed -i '/"pid"/d' "report${with:+-recorded}"
    done
    same "$policy, recorded or not" "$(cat report-recorded)" "$(cat report)"
done

tool memtrace
seen=$($COTTER -q -t "$TOOL" -- "$walk" 2>&1 | sed -n 's/^accesses \([0-9]*\).*/\1/p')
check 4096,2,64,lru 2048,2,64,lru off off
same "accesses seen" "$seen" "$(grep -c ' [RW] ' record)"

# Sums by routine and by line are the sums of the levels.
/usr/bin/python3 - <<'P' || die "sums"
import json
d = json.load(open("report"))
misses = sum(l["read_misses"] + l["write_misses"] for l in d["levels"])
for table in "routines", "lines":
    got = sum(r["l1_misses"] for r in d[table])
    lines = sum(r["accesses"] for r in d[table])
    # An access to two lines may miss both and counts once.
    assert misses * 0.98 <= got <= misses, (table, got, misses)
assert any("cachewalk.c:" in r["line"] for r in d["lines"]), "no source lines"
P
$COTTER run cachesim -l1d 33k,7 -- true 2>&1 | grep -q "not a multiple" || die "a bad shape is accepted"
$COTTER run cachesim -l1d 32k,8,64,clock -- true 2>&1 | grep -q "policy is not" || die "a bad policy is accepted"
