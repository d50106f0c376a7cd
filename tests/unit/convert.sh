# convert.sh: probe mode changes exactly those instructions of a tool that use FS, by objdump's account.
set -e
flags="-std=gnu11 -O1 -g -I$ROOT -I$ROOT/base/x86 -I$ROOT/arch/x86"
for file in arch/x86/native_convert.c arch/x86/decode.c base/str.c; do
    gcc $flags -Wall -ffreestanding -include base/str.h -c "$ROOT/$file" -o "$(basename "$file").o"
done
gcc $flags -Wall -o convert_test "$ROOT/tests/unit/convert_test.c" ./*.o
tool=$ROOT/build/lib/cotter/tools/icount
./convert_test "$tool" >got
[ "$(wc -l <got)" -gt 200 ] || { echo "only $(wc -l <got) bytes changed"; exit 1; }
# Each changed byte lies in an instruction with %fs: or *fsbase, and each such instruction has one.
objdump -d --no-show-raw-insn "$tool" | awk '
    function hex(s,  i, v) { v = 0; s = tolower(s); for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
    FNR == NR { changed[hex($1)] = 1; next }
    match($1, /^[0-9a-f]+:$/) {
        at = hex(substr($1, 1, length($1) - 1))
        if (uses) { n = 0; for (k = last; k < at && k < last + 15; k++) n += (k in changed); if (n != 1) { print "instruction at " last ": " n " bytes changed"; bad = 1 }; total += n }
        else for (k = last; k < at && k < last + 15; k++) if (k in changed) { print "a byte of another instruction at " last " changed"; bad = 1 }
        uses = /%fs:|fsbase/ && !/rdgsbase|wrgsbase/; last = at
    }
    END { for (k in changed) want++; if (total != want) { print total " in instructions, " want " changed"; bad = 1 }; exit bad }' got -
