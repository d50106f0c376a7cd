# Bound traces (arch/x86/park.h), to the place in a buffer or to parked registers: signals and faults in them find the application's
# registers, linked or not, in long traces and in short ones, and no record is lost or made twice: its address and its instruction, as
# calls see them.
. "$ROOT/tests/tools/lib.sh"
program bound_state
tool recorder
want=$("$PROG")
same "natively" "right, all faults" "$want"
for mode in "" --no-link --max-trace-ins=3 --opt=regalloc --opt=none --returns=precall; do
    same "with ${mode:-nothing}" "$want" "$(RECORDER=/dev/null $COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)"
done
recorder=$TOOL
for name in bins hashes spans; do
    tool $name
    for mode in "" --no-link --max-trace-ins=3 --opt=regalloc --returns=precall --random-layout=4 --adapt-after=20; do
        same "$name with ${mode:-nothing}" "$want" "$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>/dev/null)"
    done
done
# Long traces that name nearly all registers; of what the tool has seen, registers themselves differ from run to run (the stack's canary).
seq 300 | sed 's/$/ some words to be packed/' >text
packed() { setarch -R $COTTER -q "$@" -t "$TOOL" -- gzip -9c text 2>&1 >/dev/null | cut -d' ' -f1-3; }
want=$(packed --opt=none)
for mode in "" --check-state --no-link --max-trace-bbl=16; do
    same "spans on gzip with ${mode:-nothing}" "$want" "$(packed $mode)"
done
TOOL=$recorder
for mode in "" --no-link --max-trace-ins=5 --opt=regalloc --adapt-after=300 --check-state; do
    for how in records callers; do               # of one length, since the environment moves the stack
        RECORDER=$how setarch -R $COTTER -q $mode -t "$TOOL" -- gzip -9c text >/dev/null || die "gzip with $mode, $how"
    done
    [ "$(wc -l <records)" -gt 100000 ] || die "only $(wc -l <records) records"
    cmp records callers || die "records and calls differ with ${mode:-nothing}"
done
