# A process whose threads all end in the same moment still writes its report, once.
. "$ROOT/tests/tools/lib.sh"
program leave_together -pthread
for i in $(seq 60); do
    $COTTER run icount -- "$PROG" 2>err || die "status $?: $(cat err)"
    [ "$(grep -c '^icount: .* instructions' err)" = 1 ] || die "run $i: '$(cat err)'"
done
