# branchsim: numbers that can be told by looking; all predictors against a second implementation, with threads.
. "$ROOT/tests/tools/lib.sh"
program branches
$COTTER -q run branchsim -json -o report -- "$PROG" || die "status $?"
/usr/bin/python3 - <<'P' || die "branches"
import json
d = json.load(open("report"))
p = {r["predictor"]: r for r in d["predictors"]}
assert (d["conditional"], d["taken"]) == (2000, 1499), d
# Two bits cannot follow an alternating branch; ten outcomes of history can.
assert 450 <= p["bimodal"]["wrong"] <= 1002, p
assert p["gshare"]["wrong"] < 60 and p["tage"]["wrong"] < 60, p
assert (p["returns: address stack"]["branches"], p["returns: address stack"]["wrong"]) == (3, 0), p
assert (p["indirect: last target"]["branches"], p["indirect: last target"]["wrong"]) == (1, 1), p
P
program cachewalk -static
for bits in 6 12; do
    rm -f record report
    $COTTER -q run branchsim -bits $bits -record record -json -o report -- "$PROG" threads || die "status $?"
    /usr/bin/python3 "$ROOT/tests/tools/branch_ref.py" record report $bits || die "$bits bits"
done
$COTTER run branchsim -bits 99 -- true 2>&1 | grep -q "give 4 to 24" || die "bad -bits"
