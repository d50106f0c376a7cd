# decode.sh: the fast decoder: corner cases, every opcode, random bytes and the code of installed programs, judged by Zydis;
# no byte is read behind the last one, which the sanitizers judge. And what is skimmed, judged by it.
# test-timeout: 300
set -e
zydis=$ROOT/build/zydis
flags="-O2 -g -std=gnu11 -I$ROOT -I$zydis/include -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -DZYAN_NO_LIBC"
decoder="$ROOT/arch/x86/decode.c $ROOT/arch/x86/usage.c"
gcc $flags -o decode_test "$ROOT/tests/unit/decode_test.c" $decoder
gcc $flags -o decode_vs_zydis "$ROOT/tests/unit/decode_vs_zydis.c" $decoder "$zydis/libZydis.a"
./decode_test
safe="$flags -fsanitize=address,undefined -fno-sanitize-recover=all"
gcc $safe -o decode_test_safe "$ROOT/tests/unit/decode_test.c" $decoder
gcc $safe -o decode_bounds "$ROOT/tests/unit/decode_bounds.c" $decoder
./decode_test_safe
./decode_bounds "${SEED:-1}" 300000
./decode_vs_zydis --usage --all
./decode_vs_zydis --usage --random 1 300000
./decode_vs_zydis --usage /bin/bash /usr/bin/perl /lib/x86_64-linux-gnu/libc.so.6 "$(gcc -print-prog-name=cc1)"
gcc $flags -I"$ROOT/arch/x86" -o skim_test "$ROOT/tests/unit/skim_test.c" "$ROOT/arch/x86/skim.c" $decoder
./skim_test /bin/bash /usr/bin/perl /lib/x86_64-linux-gnu/libc.so.6 "$(gcc -print-prog-name=cc1)"
