# A callback for new code that looks at counters, however it does so, finds what it would find if nothing were optimised.
. "$ROOT/tests/tools/lib.sh"
tool peeks
program mixed
for how in 0 1 2 3 4 5; do
    want=$(setarch -R $COTTER -q --no-leaf-calls --opt=none -t "$TOOL" -how $how -- "$PROG" 2>&1)
    case $how:$want in 0:"seen 0 "*|5:"seen 0 "*) ;; *:"seen 0 "*) die "$how: nothing was seen" ;; *:seen*) ;; *) die "$how: $want" ;; esac
    for mode in --opt=schedule --opt=all "--opt=all --no-link"; do
        same "$how $mode" "$want" "$(setarch -R $COTTER -q --no-leaf-calls $mode -t "$TOOL" -how $how -- "$PROG" 2>&1)"
    done
done
