# smcwatch: eleven writes of one byte to code that had run, by one line; ten of them were run.
. "$ROOT/tests/tools/lib.sh"
program patches
same "output" "55" "$($COTTER -q run smcwatch -json -o report -- "$PROG")"
line=$(grep -n "WRITE \*/" "$ROOT/tests/tools/src/patches.c" | cut -d: -f1)
/usr/bin/python3 - "$line" <<'P' || die "$(cat report)"
import json, sys
d = json.load(open("report"))
assert (d["writes"], d["bytes"], d["code_bytes_in_no_file"]) == (11, 11, 6), d
assert len(d["writers"]) == 1 and f"patches.c:{sys.argv[1]}" in d["writers"][0]["writer"], d["writers"]
assert d["found_changed"] >= 10 and d["changed"][0]["times"] == d["found_changed"], d
P
$COTTER run smcwatch -- /bin/ls / 2>&1 | grep -q "^smcwatch: 0 writes to code" || die "ls: $($COTTER run smcwatch -- /bin/ls / 2>&1 | grep -A9 ^smc)"
