# An ELF for another machine or of 32 bits: 126 and a word about which.
. "$ROOT/tests/badinput/lib.sh"
for m in 40 183 243 8; do
    cp /bin/true f; printf "\\$(printf %o $m)\\0" | dd of=f bs=1 seek=18 conv=notrunc status=none
    refuse 126 'f' -- ./f
done
cp /bin/true big; printf '\002' | dd of=big bs=1 seek=5 conv=notrunc status=none
(exec ./big) > /dev/null 2>&1; native=$?            # the kernel does not look at the byte order
$COTTER -q -- ./big > /dev/null 2>&1
[ $? -eq $native ] || { echo "big-endian mark: differs from native $native"; exit 1; }
printf '\001' > one; cp /bin/true i386; dd if=one of=i386 bs=1 seek=4 conv=notrunc status=none
printf '\003\000' | dd of=i386 bs=1 seek=18 conv=notrunc status=none
refuse '126 125' '32-bit\|64-bit' -- ./i386
