# Functions that need no program: classes of registers, sets, text, exceptions, locks, messages.
. "$ROOT/tests/tools/lib.sh"
tool facts
same facts "W: a warning
C: to the console
E: not fatal
many wrong 0
E: fatal" "$($COTTER -q -t "$TOOL" -- /bin/true 2>&1)"
same pintool.log "info
phase
known
stats
log" "$(cat pintool.log)"
