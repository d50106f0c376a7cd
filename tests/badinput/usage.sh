# No program at all: 125 and one line that tells what to do.
. "$ROOT/tests/badinput/lib.sh"
refuse 125 'program' --
refuse 125 'cotter' nosuchcommand
refuse 125 'max-trace-ins' --max-trace-ins
# No descriptor is left for the list of mappings: said, not a crash.
(ulimit -n 4; timeout 20 $COTTER -v -- /bin/echo hello > out 2> err; [ $? = 125 ]) && grep -q '^cotter: cannot read /proc.*ulimit -n' err ||
    { echo "ulimit -n 4: $(cat err)"; exit 1; }
