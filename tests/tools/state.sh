# --check-state: at every instruction of large programs, the state that a signal would find equals the one that a call with a
# full context sees; with sums, records, inlined and called routines around it.
# test-timeout: 240
. "$ROOT/tests/tools/lib.sh"
cc1=$(gcc -print-prog-name=cc1)
cat >small.c <<'C'
struct node { struct node *next; int v[7]; };
double mean(struct node *n, int k) { double s = 0; int c = 0; for (; n; n = n->next) { s += n->v[k % 7]; c++; } return c ? s / c : 0; }
C
echo 'import json, re; print(re.sub("[aeiou]", "", json.dumps({str(i): [i, i / 7] for i in range(40)})))' >small.py

# check NAME TOOLS COMMAND...: runs as natively, and so many states were compared
check() {
    local name=$1 tools=$2
    shift 2
    want=$("$@" 2>&1)
    for t in $tools; do
        [ -x "$t" ] || "$COTTER" build "$ROOT/bench/tools/$t.c" -o "$PWD/$t" || die "building $t"
        got=$($COTTER -q --check-state --stats --stats-file=stats.txt -t "$PWD/$t" -- "$@" 2>err) || die "$name under $t: $(cat err)"
        same "$name under $t" "$want" "$got"
        n=$(sed -n 's/.*states checked *//p' stats.txt)
        [ "$n" -gt 500000 ] || die "$name under $t: only $n states checked"
    done
}
check perl 'bbcount memtrace sample calls' perl -e 'my %h; $h{length $_}++ for map { $_ x ($_ % 9) } 1..2000; print join(" ", map { "$_:$h{$_}" } sort keys %h), "\n"'
check python memtrace /usr/bin/python3 -S small.py
check cc1 sample "$cc1" -quiet -O1 small.c -o /dev/stdout
