# Functions that few tools use, each against what the program does natively: the shared rounding mode, gathers whose elements are
# elsewhere, code that comes from the tool, unnoticed changes of code, images that the tool makes, indirect functions.
. "$ROOT/tests/tools/lib.sh"
tool rest
program rest_app -O1 -Wno-array-bounds
run() { local what=$1; shift; $COTTER -q -t "$TOOL" -what "$what" -- "$PROG" "$@" 2>&1; }

# Natively `mark` does nothing; under the tool it rounds up like the program, and leaves the program rounding down.
same "native" "0x1.5555555555556p-2
0x1.5555555555556p-2 4000" "$("$PROG" r)"
same "expose" "0x1.5555555555556p-2
tool 0x1.5555555555556p-2
0x1.5555555555555p-2 2000
0 0" "$(run expose r)"

if grep -q avx2 /proc/cpuinfo; then
    same "gathers, native" "1005 -2 1009 1063 -1 0 18 -4" "$("$PROG" v)"
    same "gathers, elements copied" "$("$PROG" v)
2 0" "$(run moved v)"
    same "gathers, elements doubled" "2010 -2 2018 2126 -1 0 36 -4
2 0" "$(run scattered v)"
fi

same "code as it is" 41 "$("$PROG" a)"
same "code from the tool" 42 "$(run fetch a | head -1)"
for p in "/bin/ls /" "bash -c echo" "perl -e print(6*7,chr(10))"; do
    same "code from the tool: $p" "$($p)" "$($COTTER -q -t "$TOOL" -what fetch -- $p 2>&1 | sed '$d')"
done

same "changed code is noticed" "1 2
0 0" "$(run none p)"
same "changed code goes unnoticed when the tool says so" "1 1
0 0" "$(run stale p)"

same "an image of the tool's: calls of its second routine" "80
5 0" "$(run images g)"

# The resolver's choice is the address that the program has; each call of the implementation is counted, from whereever it comes.
run ifunc s >out
same "ifunc: sum" "68" "$(sed -n '1s/ .*//p' out)"
grep -q " $(sed -n 2p out)\$" <(head -1 out) || die "ifunc: $(cat out)"
[ "$(tail -1 out | cut -d' ' -f1)" -ge 17 ] && [ "$(tail -1 out | cut -d' ' -f2)" = 0 ] || die "ifunc: $(cat out)"
same "replaced ifunc: each of 17 is one more" "85" "$(run replace s | sed -n '1s/ .*//p')"
same "small ones" "0 0" "$(run small x | tail -1)"
same "a library that the tool loads, and one that is not there" "1 1 1
0 0" "$(run dlopen x)"
