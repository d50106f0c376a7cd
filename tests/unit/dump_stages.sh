# --dump-trace shows a trace at each stage: as application code, with the calls that a tool asked for, with those calls where
# they will stand, and as it is in the cache; without a tool the first and the last.
set -e
printf '#include <stdio.h>\nint half(int n) { return n / 2; }\nint main(int c, char **v) { printf("%%d\\n", half(c + 6)); }\n' > p.c
gcc -O1 -fno-inline -no-pie -o p p.c
cat > t.c <<'C'
#include "pin.h"
static UINT64 n;
static VOID count_it(UINT32 k) { n += k; }
static VOID Trace(TRACE t, VOID *v)
{
    for (BBL b = TRACE_BblHead(t); BBL_Valid(b); b = BBL_Next(b))
        BBL_InsertCall(b, IPOINT_ANYWHERE, (AFUNPTR)count_it, IARG_UINT32, BBL_NumIns(b), IARG_END);
}
int main(int argc, char **argv)
{
    PIN_Init(argc, argv);
    TRACE_AddInstrumentFunction(Trace, NULL);
    PIN_StartProgram();
    return 0;
}
C
"$COTTER" build t.c -o t
titles() { grep -o '^trace at 0x[0-9a-f]*, [a-z]*' "$1" | sort -u -k 4 | sed 's/.*, //' | sort | tr '\n' ' '; }
"$COTTER" --dump-trace=half --log=plain -- ./p > out
[ "$(titles plain)" = "application cache " ] || { echo "no tool: $(titles plain)"; exit 1; }
"$COTTER" --dump-trace=half --log=tool --opt=schedule -t ./t -- ./p > out
[ "$(titles tool)" = "application cache instrumented scheduled " ] || { echo "tool: $(titles tool)"; exit 1; }
half=$(nm p | sed -n 's/^0*\([0-9a-f]*\) T half$/\1/p')
grep -q "^ *$half  before count_it, 1 argument, may be moved" tool || { echo "the call is not shown"; cat tool; exit 1; }

# A function of a library, which is found when the library is mapped: at its address, with its instructions. And none at all.
printf 'int twice(int n) { return 2 * n; }\n' > l.c
printf '#include <stdio.h>\nint twice(int);\nint main(void) { printf("%%p %%d\\n", (void *)twice, twice(21)); }\n' > q.c
gcc -O1 -shared -fPIC -o libl.so l.c && gcc -o q q.c ./libl.so
"$COTTER" --dump-trace=twice --log=library -- ./q > out
at=$(cut -d' ' -f1 out)
[ "$(titles library)" = "application cache " ] && grep -q "^ *${at#0x}  8d043f .*lea" library ||
    { echo "no trace of the library's function at $at:"; grep -A3 '^trace at' library | head; exit 1; }
"$COTTER" --dump-trace=thrice -- ./q > out 2> err
[ "$(cat err)" = "cotter: --dump-trace: neither the program nor a library of it has a function thrice" ] || { cat err; exit 1; }
