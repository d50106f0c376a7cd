# Long runs of mixed programs: after the first third of the time, Cotter's own memory in them does not grow any more.
# test-timeout: 300
# test-solo: yes
# SOAK_MINUTES says how long; a minute when it is not set.
minutes=${SOAK_MINUTES:-0}
[ "$minutes" -gt 0 ] || minutes=1
exec /usr/bin/python3 -B "$ROOT/tests/soak/memory.py" "$COTTER" "$minutes"
