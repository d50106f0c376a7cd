# decode.sh: the fast decoder: corner cases, every opcode, random bytes and the code of installed programs, judged by Zydis.
# test-timeout: 300
set -e
zydis=$ROOT/build/zydis
flags="-O2 -g -std=gnu11 -I$ROOT -I$zydis/include -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -DZYAN_NO_LIBC"
decoder="$ROOT/arch/x86/decode.c $ROOT/arch/x86/usage.c"
gcc $flags -o decode_test "$ROOT/tests/unit/decode_test.c" $decoder
gcc $flags -o decode_vs_zydis "$ROOT/tests/unit/decode_vs_zydis.c" $decoder "$zydis/libZydis.a"
./decode_test
./decode_vs_zydis --usage --all
./decode_vs_zydis --usage --random 1 300000
./decode_vs_zydis --usage /bin/bash /usr/bin/perl /lib/x86_64-linux-gnu/libc.so.6 "$(gcc -print-prog-name=cc1)"
