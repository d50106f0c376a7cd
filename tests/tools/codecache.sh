# CODECACHE_*: events and sizes add up; the limit is kept or raised; code that changes is reported, as often as it does.
. "$ROOT/tests/tools/lib.sh"
tool codecache
program changes_itself
show() { $COTTER -q "$@" 2>&1 >/dev/null; }
sums="init 1 misplaced 0 wrong 0 used 1
traces add up
links add up
crossings add up"
for mode in "" "--max-trace-ins=1" "--no-link" "--random-layout=5"; do
    same "plain $mode" "$sums
full no flushed no blocks one
changed 0
sizes 1 more 1
left 0 all gone" "$(show $mode -t "$TOOL" -- /bin/true | sed 's/blocks many/blocks one/')"
done
same "limit" "$sums
full yes flushed yes blocks many
changed 0
sizes 1 more 1
left 0 all gone" "$(show --cache-block=32k -t "$TOOL" -limit 3 -- /bin/ls /)"
same "raised limit" "$sums
full yes flushed no blocks many
changed 0
sizes 1 more 1
left 0 all gone" "$(show --cache-block=32k -t "$TOOL" -limit 3 -grow -- /bin/ls /)"
$COTTER -q -t "$TOOL" -short -- /bin/ls / 2>&1 >/dev/null | grep -q "^longest [123]\$" || die "short: $(show -t "$TOOL" -short -- /bin/ls /)"
for n in 1 2 50; do
    show -t "$TOOL" -- "$PROG" $n | grep -q "^changed $((n - 1))\$" || die "$n versions: $(show -t "$TOOL" -- "$PROG" $n)"
done
same "result" "$("$PROG" 50)" "$($COTTER -q -t "$TOOL" -- "$PROG" 50 2>/dev/null)"
