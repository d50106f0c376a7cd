# The commands of the pages about the tools, typed as they are printed, print what the pages show.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
mkdir bin d
touch d/x
ln -s "$(command -v ${COTTER%% *})" bin/cotter
check() { PATH=$PWD/bin:$PATH /usr/bin/python3 "$ROOT/tests/tools/documented.py" "$ROOT" "$@" 2>&1; }
check "$ROOT"/docs/tools.md "$ROOT"/docs/tools-bugs.md "$ROOT"/docs/tools-simulators.md >out || die "$(cat out)"
[ "$(sed -n 's/ commands 0 differ//p' out)" -ge 40 ] || die "$(tail -1 out)"
# It would notice: another column, a routine of another name, another option.
touch d/x
for change in 's/taken_%/taken_rate/' 's/ fill  *sum / fell sum /' 's/icount -images/icount -image/'; do
    sed "$change" "$ROOT/docs/tools.md" >wrong.md
    cmp -s wrong.md "$ROOT/docs/tools.md" && die "nothing to change: $change"
    check wrong.md >out && die "not noticed: $change"
done
true
