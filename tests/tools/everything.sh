# A call at every point of every instruction, through each kind of bridge: the program does what it does natively.
# test-timeout: 400
. "$ROOT/tests/tools/lib.sh"
tool everything
everything=$TOOL
for p in x86/flags_arith x86/string_ops x86/string_idle_rex x86/vector_avx2 x86/vector_avx512 x86/vector_uppers x86/x87_stack x86/x87_pointer \
    x86/mmx x86/loop_forms x86/call_ret_mix x86/rip_relative x86/tls_fs x86/fault_divide x86/fault_int3 x86/redzone_signal \
    x86/smc_immediate any/sig_basic any/longjmp any/qsort_callback; do
    prog=$BUILD/prog-$(basename $p) source=$ROOT/tests/diff/$p.c
    flags=$(sed -n 's/^ \* test-build: \(.*\)/\1/p' "$source" | sed 's:\*/::')
    newer "$prog" "$source" || gcc -O1 -g -w -pthread $flags -I "$ROOT/tests/lib" -o "$prog" "$source" -lm -ldl || die "$p"
    want=$("$prog" 2>&1) || continue                # this machine lacks what the program needs
    for kind in 1 2 3 4 5 6 0; do
        same "$p, kind $kind" "$want" "$($COTTER -q -t "$everything" -kind $kind -- "$prog" 2>&1)"
    done
done
