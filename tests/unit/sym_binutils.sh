# api/sym.h judged by binutils: sections, symbols, stubs, lines, debug files, C++ names.
# test-timeout: 120
# test-needs: cmd:readelf cmd:objdump cmd:addr2line cmd:c++filt cmd:objcopy
set -u
fail() { echo "FAIL: $*"; exit 1; }
same() { diff "$2" "$3" >diff.out || { head -20 diff.out; fail "$1"; }; }

gcc -O1 -g -std=gnu11 -D_GNU_SOURCE -I"$ROOT" -o dump "$ROOT"/tests/unit/sym_dump.c "$ROOT"/api/sym_*.c \
    -ldw -lelf -lz -liberty || fail "does not compile"

# ---- A program with everything: C++ names, stubs, aliases, an indirect function, hand-written assembly ----
cat >prog.cc <<'END'
#include <cstdio>
#include <cmath>
#include <string>
#include <vector>
namespace outer { struct thing { int n; thing(int n); template <class T> T get(T a) const; }; }
outer::thing::thing(int x) : n(x) {}
template <class T> T outer::thing::get(T a) const { return a + n; }
template int outer::thing::get<int>(int) const;
extern "C" int alias_of(int) __attribute__((alias("__real_name")));
extern "C" int __real_name(int a)
{
    return a * 3;
}
static int one() { return 1; }
extern "C" int (*choose())() { return one; }
extern "C" int chosen() __attribute__((ifunc("choose")));
asm(".globl untyped\n untyped: ret\n");
int main(int argc, char **argv)
{
    std::vector<std::string> v(argv, argv + argc);
    std::printf("%d %s %f\n", outer::thing(argc).get(2) + chosen(),
                v[0].c_str(),
                std::pow(argc, 2.5));
    return alias_of(0);
}
END
for how in "-gdwarf-2" "-gdwarf-3" "-gdwarf-4" "-gdwarf-5" "-gdwarf-5 -gz -no-pie" "-gdwarf-4 -static" \
    "-g -fcf-protection=full -Wl,-z,ibtplt" "-g -Wl,-z,now -fno-plt" "-g -m64 -ffunction-sections -Wl,--gc-sections"; do
    g++ -O1 $how -o "prog.$(echo $how | tr -c 'a-z0-9\n' _)" prog.cc -lm || fail "cannot build with $how"
done

# ---- Sections ----
sections_of() {
    readelf -SW "$1" | sed -n 's/^ *\[ *\([0-9]*\)\] *//;T;p' | awk '$1 != "NULL" {
        flags = NF >= 10 ? $7 : ""; alloc = flags ~ /A/; if (!alloc) $3 = "0"
        sub(/^0+/, "", $3); sub(/^0+/, "", $5); if ($3 == "") $3 = 0; if ($5 == "") $5 = 0
        printf "%s %s %s %s%s%s%s\n", $1, $3, $5, alloc ? "m" : "-", alloc ? "r" : "-",
               alloc && flags ~ /W/ ? "w" : "-", alloc && flags ~ /X/ ? "x" : "-" }'
}

# ---- Functions of both tables: value and name without version, each pair once ----
symbols_of() {
    readelf --dyn-syms -sW "$1" | awk '($4 == "FUNC" || $4 == "IFUNC") && $7 ~ /^[0-9]+$/ && $8 != "" {
        sub(/@.*/, "", $8); sub(/^0+/, "", $2); print $2, $8 }' | sort -u
}

for file in prog.* /lib/x86_64-linux-gnu/libc.so.6 /lib64/ld-linux-x86-64.so.2 /bin/bash /usr/bin/python3 \
    "$(command -v gdb)"; do
    case $file in *.cc) continue;; esac
    [ -f "$file" ] || continue
    readelf -SW "$file" >/dev/null 2>&1 || continue
    sections_of "$file" >want
    ./dump sections "$file" | awk '{ print $2, $3, $4, $7 }' >got
    same "sections of $file" want got

    symbols_of "$file" >want
    ./dump symbols "$file" | awk '{ print $1, $4 }' | sort -u >got.all
    # The list may hold more: untyped labels, and what the debug file adds.
    comm -23 want got.all >missing
    [ -s missing ] && { head missing; fail "symbols of $file are missing"; }

    ./dump routines "$file" >routines
    grep BROKEN routines && fail "routines of $file"
    ./dump --fde routines "$file" >routines.fde
    grep BROKEN routines.fde && fail "routines of $file cut at .eh_frame"

    objdump -dj .plt -j .plt.sec -j .plt.got "$file" 2>/dev/null | sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p' |
        sed 's/@[^@]*@plt$/@plt/' | grep -v '\*ABS\*' | sort -u >want
    ./dump plt "$file" | awk '{ print $1, $2 }' | sort -u >got
    comm -23 want got >missing
    [ -s missing ] && { head missing; fail "stubs of $file are missing"; }
done

# ---- Lines ----
for file in prog.*; do
    case $file in *.cc | *.[a-z]*debug) continue;; esac
    addresses=$(objdump -dj .text --no-show-raw-insn "$file" | awk '
        /<main>:|<__real_name>:|<_ZN5outer5thingC[12]Ei>:/ { on = 1; next }
        /^$/ { on = 0 } on { sub(":", "", $1); print $1 }')
    [ -n "$addresses" ] || fail "no code in $file"
    addr2line -e "$file" $addresses | sed 's/ (discriminator.*//' >want
    ./dump lines "$file" $addresses | sed 's/^[0-9a-f]* //; s/:[0-9]*$//; s/^none$/??:0/' >got
    paste -d' ' <(cat want) <(cat got) | awk '$1 != $2 && $1 !~ /:\?$/ && $1 !~ /:0$/' >differ
    [ -s differ ] && { head differ; fail "lines of $file"; }
    grep -q 'prog.cc:2[0-9]' got || fail "no lines in $file"
done

# ---- Stripped: artificial routines; with .eh_frame the functions come back ----
file=prog._gdwarf_4
main=$(nm $file | awk '$3 == "main" { print $1 }')
strip -o stripped $file
./dump routines stripped >got
grep -q ' \.text artificial$' got || fail "no artificial .text"
grep -q ' unnamedImageEntryPoint$' got || fail "no entry point"
grep -q ' printf@plt$' got || fail "no stub in a stripped program"
short=$(echo "$main" | sed 's/^0*//')
./dump --fde at stripped "$main" | grep -q "^$short .* sub_" || fail "main is not cut at .eh_frame"

# ---- Debug file by link, by CRC and by build-id in the link ----
for id in none sha1; do
    g++ -g -Wl,--build-id=$id -o whole prog.cc -lm
    mkdir -p .debug
    objcopy --only-keep-debug whole .debug/split.debug
    objcopy --strip-all --add-gnu-debuglink=.debug/split.debug whole split
    ./dump symbols "$PWD/whole" | awk '{ print $1, $4 }' | sort >want
    ./dump symbols "$PWD/split" | awk '{ print $1, $4 }' | sort >got
    same "symbols through a debug link (build-id $id)" want got
    main=$(nm whole | awk '$3 == "main" { print $1 }')
    same "lines through a debug link" <(./dump lines "$PWD/whole" "$main") <(./dump lines "$PWD/split" "$main")
    printf 'x' | dd of=.debug/split.debug bs=1 seek=200 conv=notrunc 2>/dev/null
    [ $id = none ] && ./dump symbols "$PWD/split" | grep -q ' main$' && fail "a wrong checksum was accepted"
done

# ---- Look-ups ----
./dump find $file alias_of __real_name untyped chosen no_such_name >got
[ "$(sed -n 1p got)" = "$(sed -n 2p got)" ] || fail "alias"
sed -n 1p got | grep -q 'alias_of$' || fail "preferred name: $(sed -n 1p got)"
[ "$(sed -n 5p got)" = none ] || fail "name that does not exist"
main=$(nm $file | awk '$3 == "main" { print $1 }')
./dump at $file "$(printf %x $((0x$main + 5)))" | grep -q ' main$' || fail "address inside main"
./dump create $file "$(printf %x $((0x$main + 4)))" >got
grep -q "^$(printf %x $((0x$main + 4))) .* made$" got && [ "$(sort -u got | wc -l)" = 1 ] || fail "created routine"

# ---- Images in memory ----
./dump self - >got
grep -q BROKEN got && { cat got; fail "bias of a mapped library"; }
grep -q '^[2-9] segments' got || fail "no library looked at"
grep -q '^vdso clock_gettime 1' got || grep -q '^vdso - 0' got || { cat got; fail "vdso"; }

# ---- Names ----
for name in _ZNK5outer5thing3getIiEET_S2_ _ZSt4cout _ZNSt6vectorIiSaIiEE9push_backERKi _ZTV3foo; do
    [ "$(./dump demangle $file $name | sed 's/ | .*//')" = "$(echo $name | c++filt)" ] || fail "demangle $name"
done
name=$(./dump demangle $file _ZNK5outer5thing3getIiEET_S2_ | sed 's/.* | //')
[ "$name" = "outer::thing::get<int>" ] || fail "name only: $name"
[ "$(./dump demangle $file _RNvC5mycra4main)" = "mycra::main | mycra::main" ] || fail "Rust name"
[ "$(./dump demangle $file main)" = "- | -" ] || fail "plain name"
[ "$(./dump demangle $file _ZN1a1bEv@plt)" = "a::b()@plt | a::b" ] || fail "stub name"
echo "ok sym_binutils"
