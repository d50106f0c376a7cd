# When the engine itself fails, a report names the thread, the application's pc, the place in the cache, the last places
# dispatched and the engine's own frames; the status is 125. A program that destroys the engine's heap provokes it for real:
# Cotter is no sandbox.
set -e
cat > wreck.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* Each jump leads to code that was never run, through the dispatcher. */
void chain(void);
__asm__("chain: .rept 4000\n lea 1f(%rip), %rax\n jmp *%rax\n .balign 64\n 1:\n .endr\n chain_end: ret");
extern char chain_end[];
int main(void)
{
    unsigned long lo = 0, hi = 0, private_heap = 0x550100000000;
    char line[256];
    FILE *f = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, f) && (sscanf(line, "%lx-%lx", &lo, &hi) != 2 || lo != private_heap))
        ;
    printf("%d %lu %lu\n", gettid(), (unsigned long)chain, (unsigned long)chain_end);
    fflush(stdout);
    if (lo != private_heap)
        exit(1);
    unsigned long n = hi - lo;
    __asm__ volatile("rep stosb; call chain" : "+D"(lo), "+c"(n) : "a"(0x5a) : "memory");
    exit(0);
}
C
gcc -O1 -o wreck wreck.c
# What it fails at is chance: where the program lies decides. A jump to nowhere has no frames; then again.
frames='^cotter:   #[0-9]+ 0x[0-9a-f]+ (jit_get|cache_find_version|go_on)$'
for again in 1 2 3 4 5; do
    got=0
    timeout 20 $COTTER -- ./wreck > out 2> err || got=$?
    ! grep -qE "$frames" err || break
done
read tid first last < out
pc=$(sed -n 's/^cotter: thread .* application pc 0x\([0-9a-f]*\), .*/\1/p' err)
die() { echo "$1; status $got; said: $(cat out err)"; exit 1; }
[ $got = 125 ] || die "not 125"
grep -qE '^cotter: the engine failed: signal 11 \(code [0-9]+, address 0x[0-9a-f]+\) at 0x5500[0-9a-f]{8}$' err || die "no signal"
grep -qE "^cotter: thread $tid, application pc 0x$pc, sp 0x[0-9a-f]+, x86-64$" err || die "no thread, no pc"
[ $((0x$pc)) -ge $first ] && [ $((0x$pc)) -le $last ] || die "another pc"
grep -qE "^cotter: left the cache (by an indirect branch to 0x$pc|at 0x5500[4-7][0-9a-f]{7}, by an exit to 0x$pc)$" err || die "no exit"
[ "$(grep -cE '^cotter:   dispatched [0-7] ago: 0x[0-9a-f]+, in the cache at 0x5500[4-7][0-9a-f]{7}$' err)" = 8 ] || die "not 8 dispatched"
grep -qE "$frames" err || die "no frames"
grep -qE '^cotter: planted image 0x5500[0-9a-f]{8}-0x5500[0-9a-f]{8} \(.*/none\)$' err || die "no image"
sh -c "$(sed -n 's/^cotter: with lines: //p' err)" | grep -qE '(jit_get|go_on) at ' || die "addr2line finds no line"
[ -z "$(grep -v '^cotter: ' err)" ] || die "other lines"
got=0
timeout 20 $COTTER -- ./wreck 2>&- > out || got=$?
[ $got = 125 ] || { echo "with stderr closed: status $got"; exit 1; }
