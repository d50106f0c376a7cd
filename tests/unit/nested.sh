# Cotter under Cotter: the inner command is a program like others. Its helper shares its memory, traces it, and outlives its exec: the
# helper must see the new program's registers, and go on when the outer tool has stopped all threads for its last words.
set -e
cat > p.c <<'C'
#include <stdio.h>
int main(int argc, char **argv) { for (int i = 1; i < argc; i++) puts(argv[i]); return 7; }
C
gcc -O1 -o p p.c
gcc -O1 -static -o p_static p.c
run() {                                 # run OUTER -- INNER: two lists of options
    for program in ./p ./p_static; do
        got=0
        timeout 60 $COTTER $1 -- $COTTER $2 -- $program one "two words" > out 2> err < /dev/null || got=$?
        [ $got = 7 ] && [ "$(cat out)" = "one
two words" ] && [ ! -s err ] || { echo "$1, $2, $program: status $got: $(cat out err)"; exit 1; }
    done
}
counted() { grep -o '"instructions": [0-9]*' "$1" | head -1; }
run "" ""
run "" "--max-trace-ins=1"
run "--no-link" ""
run "-q -f" ""
run "" "--inject=ptrace -f"
run "-q run icount -json -o outer" "-q run icount -json -o inner"
[ -n "$(counted outer)" ] && [ -n "$(counted inner)" ] || { echo "reports: $(cat outer inner)"; exit 1; }
$COTTER -q run icount -json -o alone -- ./p_static one "two words" > out || [ $? = 7 ]
a=$(counted alone) b=$(counted inner)
a=${a#*: } b=${b#*: }
[ $((a - b)) -lt 500 ] && [ $((b - a)) -lt 500 ] || { echo "inner counts $b instructions, alone $a"; exit 1; }     # the auxiliary vector differs
