# lockstat: the numbers of a program that knows them.
. "$ROOT/tests/tools/lib.sh"
program locks
$COTTER -q run lockstat -json -o report -- "$PROG" || die "status $?"
/usr/bin/python3 - <<'P' || die "$(cat report)"
import json
d = json.load(open("report"))
mine = [l for l in d["locks"] if "locks.c" in l["first_taken"]]         # the loader has some, too
kinds = sorted((l["kind"], l["taken"]) for l in mine)
assert kinds == [("mutex", 2), ("mutex", 2), ("mutex", 2), ("mutex", 2), ("mutex", 600), ("rwlock", 7), ("spin lock", 7)], kinds
assert d["locks_taken"] == sum(l["taken"] for l in d["locks"]) >= 622, d
# The one that main had while the other thread waited for it.
waited = [l for l in mine if l["taken"] == 2 and l["contended"]]
assert waited and max(l["wait_us"] for l in waited) > 0, d["locks"]
assert len(d["inversions"]) == 1 and d["inverted_pairs"] == 1, d["inversions"]
P
$COTTER run lockstat -- /bin/true 2>&1 | grep -q "^lockstat: [0-9]* locks\?, taken" || die "a program without locks"
