# The fast decoder judged by Zydis over the code of every executable and library that is installed.
# test-timeout: 3600
set -e
zydis=$ROOT/build/zydis
gcc -O2 -std=gnu11 -I"$ROOT" -I"$zydis/include" -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -DZYAN_NO_LIBC -o judge \
    "$ROOT/tests/unit/decode_vs_zydis.c" "$ROOT/arch/x86/decode.c" "$ROOT/arch/x86/usage.c" "$zydis/libZydis.a"
# ELF files of this machine: magic, 64 bits, e_machine 62.
find /bin /sbin /lib /lib64 /usr /opt -xdev -type f \( -perm -u+x -o -name '*.so*' \) -size +0 2>/dev/null | sort -u |
    python3 -c '
import sys
for path in map(str.strip, sys.stdin):
    try:
        head = open(path, "rb").read(20)
    except OSError:
        continue
    if head[:5] == b"\x7fELF\x02" and head[18:20] == b"\x3e\x00":
        print(path)' > files
[ "$(wc -l < files)" -gt 500 ] || { echo "only $(wc -l < files) files found"; exit 1; }
tr '\n' '\0' < files | xargs -0 -P 2 -n 40 ./judge --usage > out || { grep -v -e '^excused' -e ' 0 mismatches' out | head -40; exit 1; }
awk '/places/ { n += $1 } END { printf "%d files, %d instructions\n", FILES, n; exit n < 1000000 }' FILES="$(wc -l < files)" out
