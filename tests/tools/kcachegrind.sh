# KCachegrind itself opens what callgraph writes: on a screen that nobody sees it shows the program's name in its title and begins
# with main. It does neither for a file that it cannot read.
# test-needs: cmd:kcachegrind cmd:xvfb-run cmd:dbus-run-session cmd:xwininfo
# test-timeout: 240
. "$ROOT/tests/tools/lib.sh"
program known -O0
export HOME=$PWD XDG_RUNTIME_DIR=$PWD/run LC_ALL=C.UTF-8
mkdir -m 700 run
cat >look.sh <<'END'
kcachegrind "$1" >said 2>&1 &
for i in $(seq 300); do
    xwininfo -root -tree >windows 2>&1
    grep -q "$2" said windows && break
    sleep 0.1
done
xwininfo -root -tree >windows
kill $!
END
shows() { xvfb-run -a dbus-run-session -- bash look.sh "$PWD/$1" "$2" >/dev/null 2>&1; cat said windows; }
$COTTER run callgraph -callgrind costs -o report -- "$PROG" >/dev/null 2>err || die "callgraph: $(cat err)"
shows costs 'Selected *"' >shown
grep -q 'Selected *"main"' shown && grep -q '/costs \[.*prog-known.*KCachegrind' shown || die "KCachegrind: $(cat shown)"
# The file without its head and with other words in it: the same look finds nothing.
sed '1,/^events/s/.*/no costs at all/' costs >broken
shows broken 'broken\|no costs' >shown
! grep -q 'Selected *"main"' shown || die "the look cannot fail: $(cat shown)"
