# ELF files that are not programs: an object file, a library without entry, a core-like header.
. "$ROOT/tests/badinput/lib.sh"
echo 'int x;' > a.c; gcc -c a.c -o a.o; chmod 755 a.o; refuse 126 'a.o' -- ./a.o
cp /bin/true t; printf '\004\000' | dd of=t bs=1 seek=16 conv=notrunc status=none; refuse 126 't' -- ./t
