# Killed at any moment during the start, Cotter leaves nothing behind.
. "$ROOT/tests/badinput/lib.sh"
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    $COTTER -q -- /bin/sleep 50 & p=$!
    sleep 0.00$((i % 10)); kill -KILL $p; wait $p 2>/dev/null
done
leftover
for p in $(pgrep -x sleep); do
    [ "$(readlink /proc/$p/cwd)" = "$PWD" ] && { echo "sleep still runs"; kill $p; exit 1; }
done
exit 0
