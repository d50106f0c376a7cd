# No program at all: 125 and one line that tells what to do.
. "$ROOT/tests/badinput/lib.sh"
refuse 125 'program' --
refuse 125 'cotter' nosuchcommand
refuse 125 'max-trace-ins' --max-trace-ins
