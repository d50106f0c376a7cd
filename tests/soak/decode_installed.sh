# The fast decoder judged by Zydis over the code of every executable and library that is installed. What has been judged is noted
# in build/tests/decoded-*, so that a run that was broken off goes on where it was; the order is a random one that stays the same,
# so that any part of it is a sample.
# test-timeout: 3600
set -e
zydis=$ROOT/build/zydis
judge="$ROOT/tests/unit/decode_vs_zydis.c $ROOT/arch/x86/decode.c $ROOT/arch/x86/usage.c"
gcc -O2 -std=gnu11 -I"$ROOT" -I"$zydis/include" -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -DZYAN_NO_LIBC -o judge $judge "$zydis/libZydis.a"
export JUDGED=$BUILD/decoded-$(cat $judge "$ROOT"/arch/x86/decode*.h "$zydis/libZydis.a" | sha256sum | cut -c1-16)
touch "$JUDGED"
# ELF files of this machine: magic, 64 bits, e_machine 62. Each with its size and time: another file of that name is another one.
find -L /bin /sbin /lib /lib64 /usr /opt -xdev -type f \( -perm -u+x -o -name '*.so*' \) -size +0 -printf '%i %s %T@ %p\n' 2> /dev/null |
    sort -u -k1,3 | python3 -c '
import hashlib, os, sys
judged = set(open(os.environ["JUDGED"], errors="surrogateescape"))
files = []
for line in sys.stdin:
    path = line.split(" ", 3)[3].rstrip("\n")
    try:
        with open(path, "rb") as file:
            head = file.read(20)
    except OSError:
        continue
    if head[:5] == b"\x7fELF\x02" and head[18:20] == b"\x3e\x00" and not set(path) & set("\\\x27\""):
        files.append(line)
files.sort(key=lambda line: hashlib.sha1(line.split(" ", 3)[3].encode(errors="surrogateescape")).digest())
print(len(files), file=open("total", "w"))
sys.stdout.writelines(line for line in files if line not in judged)' > files
[ "$(cat total)" -gt 500 ] || { echo "only $(cat total) files found"; exit 1; }
cat > one <<'S'
path=$(printf %s "$1" | cut -d' ' -f4-)
./judge --usage "$path" > "out.$$" || { grep -v -e '^excused' -e ' 0 mismatches' "out.$$" | head -40; exit 255; }
awk -v place="$1" '/places/ { print $1, place }' "out.$$" >> "$JUDGED.places"
rm "out.$$"
printf '%s\n' "$1" >> "$JUDGED"
S
tr '\n' '\0' < files | xargs -0 -P 2 -n 1 sh one || exit 1
awk '{ n += $1 } END { printf "%d files, %d instructions\n", NR, n; exit n < 1000000 }' "$JUDGED.places"
rm "$JUDGED" "$JUDGED.places"                   # all done: the next run begins anew
