# A program that is linked to the addresses of Cotter's private range is refused by name; as a followed child it runs natively.
# One with more program headers than usual is none of that: it runs.
. "$ROOT/tests/badinput/lib.sh"
printf '.globl _start\n_start: mov $60,%%eax; mov $42,%%edi; syscall\n' > tiny.S
gcc -nostdlib -static -Wl,-Ttext-segment=0x550000000000 -o in_the_way tiny.S
gcc -nostdlib -static -Wl,-Ttext-segment=0x555500000000 -o above tiny.S
gcc -nostdlib -static -o tiny tiny.S
refuse 126 'linked to addresses that Cotter needs' -- ./in_the_way
$COTTER -f -- /bin/sh -c './in_the_way; exit $?' 2> err
[ $? = 42 ] && [ "$(cat err)" = "cotter: ./in_the_way runs without Cotter: linked to addresses that Cotter needs for itself (0x550000000000 to 0x555500000000)" ] ||
    { echo "as a child: $(cat err)"; exit 1; }
$COTTER -- ./above; [ $? = 42 ] || { echo "above the range: it does not run"; exit 1; }
/usr/bin/python3 - <<'P'
import struct
d = bytearray(open("tiny", "rb").read())
off, n = struct.unpack_from("<Q", d, 32)[0], struct.unpack_from("<H", d, 56)[0]
headers = d[off:off + 56 * n] + bytes(56 * (200 - n))
struct.pack_into("<Q", d, 32, len(d))
struct.pack_into("<H", d, 56, 200)
open("many", "wb").write(d + headers)
P
chmod +x many
(./many); native=$?
$COTTER -- ./many; [ $? = $native ] || { echo "200 program headers: not as natively ($native)"; exit 1; }
