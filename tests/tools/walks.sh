# Images and their parts, walked both ways; how many there are is what readelf and the loader say.
. "$ROOT/tests/tools/lib.sh"
tool walks
sections=$(($(readelf -h /bin/ls | sed -n 's/.*Number of section headers: *//p') - 1))
images=$(($(ldd /bin/ls | grep -c '/') + 1))            # with the program itself; ldd names the loader, not the vdso
same walks "$sections sections
$images images, wrong 0 many" "$($COTTER -q -t "$TOOL" -- /bin/ls / 2>&1 | grep -vxF "$(ls /)")"
program mixed                                             # static, no libc
$COTTER -q -t "$TOOL" -- "$PROG" >out 2>&1
grep -q "^1 images, wrong 0 " out || die "static: $(cat out)"
