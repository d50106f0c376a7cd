# stackdepth: the lowest stack pointer of each thread is what the program saw itself.
. "$ROOT/tests/tools/lib.sh"
program deep
for mode in "" "--max-trace-ins=1" "--random-layout=3"; do
    $COTTER -q $mode run stackdepth -json -o report -- "$PROG" > out || die "status $?"
    /usr/bin/python3 - <<'P' || die "$mode: $(cat out report)"
import json
d = json.load(open("report"))
want = [int(x, 16) for x in open("out").read().split()]
got = {t["thread"]: t for t in d["threads"]}
assert [int(got[k]["lowest"], 16) for k in (0, 1)] == want, (got, want)
assert "descend" in got[0]["at"] and "deep.c" in got[0]["at"]
frames = {f["routine"]: f for f in d["frames"]}["descend"]
assert 295 <= frames["frames"] <= 301 and frames["bytes"] >= 295 * 1000, frames
P
done
ulimit -s 1024
$COTTER -q run stackdepth -- "$PROG" 2>&1 >/dev/null | grep -q "limit_of_the_first_thread *1,048,576" || die "limit"
