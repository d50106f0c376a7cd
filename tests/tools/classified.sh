# INS_Opcode, INS_Category and INS_Extension know an instruction by its first bytes; a full decoding says the same.
. "$ROOT/tests/tools/lib.sh"
tool classified
echo 'double mean(double *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i]; return s / n; }' >mean.c
check() { same "$1" "many, 0 differ" "$($COTTER -q -t "$TOOL" -- "$@" 2>&1 >/dev/null)"; }
check "$(gcc -print-prog-name=cc1)" -quiet -O2 mean.c -o /dev/null
check sha256sum "$COTTER"
check perl -e 'print sqrt(2) ** 3.5, sort { $a <=> $b } map { $_ * 7 % 11 } 1 .. 40'
