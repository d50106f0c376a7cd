# The instruction view (api/xed.h): a table of expectations, the table of mnemonics, made-up bytes under the sanitizers.
# test-timeout: 180
set -u
zydis=$ROOT/build/zydis
fail() { echo "FAIL: $*"; exit 1; }
build() {   # OUTPUT FLAGS...
    out=$1
    shift
    gcc -std=gnu11 -D_GNU_SOURCE -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -DZYAN_NO_LIBC "$@" -I"$ROOT" \
        -I"$zydis/include" -I"$ROOT/base/x86" -I"$ROOT/arch/x86" -o "$out" \
        "$ROOT/tests/unit/xed_view.c" "$ROOT"/api/xed_*.c "$ROOT/arch/x86/decode.c" "$zydis/libZydis.a" ||
        fail "does not compile"
}

build view -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
./view "$ROOT/tests/unit/xed_expect.txt" || fail "expectations"
./view --table || fail "mnemonics"
"$ROOT/mk/gen-xed-table.py" "$zydis/include/Zydis/Generated/EnumMnemonic.h" "$ROOT/api/xed_iclass.h" |
    diff -q - "$ROOT/api/xed_mnemonic.h" || fail "api/xed_mnemonic.h is stale"
seed=${SEED:-$(date +%s)}
./view --random "$seed" $((200000 + SOAK_MINUTES * 2000000)) || fail "made-up bytes, seed $seed"

# What the tool headers carry must also be C++.
printf '#include "api/xed_reg.h"\n#include "api/xed_enum.h"\nint regs[REG_LAST]; REG r = REG(REG_XMM_BASE + 3);\n' |
    g++ -Wall -Werror -I"$ROOT" -x c++ -fsyntax-only - || fail "not C++"
echo "ok xed_view"
