# A tool that relies on what came along with Pin's own C library, and on makefile habits beside the usual ones.
. "$ROOT/tests/tools/lib.sh"
root=$($COTTER --pin-root)
cp -r "$src/pinroot/crt" crt
make -C crt PIN_ROOT="$root" obj-intel64/leans.so >log 2>&1 || die "what Pin's C library brought in: $(cat log)"
"$root/pin" -t crt/obj-intel64/leans.so -- /bin/ls / >/dev/null 2>&1
same "what Pin's C library brought in" "7 1 13 many" "$(cat leans.out)"
