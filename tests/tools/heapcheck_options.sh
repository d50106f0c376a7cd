# The options of heapcheck; a static program; a program that dies.
. "$ROOT/tests/tools/heap/lib.sh"
run() { $COTTER -q run heapcheck "$@" 2>&1; }
build "$corpus/bad/double_free.c"
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
build "$corpus/bad/unset_branch.c"
run -no-unset -- "$PROG" | grep -q "^heapcheck: 0 errors" || die "-no-unset"
build "$corpus/bad/leak_one.c"
run -no-leaks -- "$PROG" | grep -q "^heapcheck: 0 errors" || die "-no-leaks"
gcc -g -O1 -w -fno-builtin -static -o static "$corpus/bad/off_by_one_string.c" || die "no static libc"
run -- ./static | grep -q "Write of 6 bytes outside of a block, by strcpy" || die "static: $(run -- ./static)"
cat > dies.c <<'C'
#include <stdlib.h>
int main(void) { int *p = malloc(4); p[1] = 1; abort(); }
C
gcc -g -O0 -o dies dies.c
run -- ./dies > out
[ $? -ne 0 ] && grep -q "Write of 4 bytes outside" out || die "death by a signal: $(cat out)"
