# Wrong fields in ELF headers, by both ways into a program: it ends as natively or is refused in one line. More:
# COTTER=... malformed.py SEED COUNT, in a folder with the four programs.
. "$ROOT/tests/badinput/lib.sh"
printf '#include <unistd.h>\nint main(void) { return write(1, "ok\\n", 3) == 3 ? 7 : 8; }\n' > p.c
gcc -O1 -o dynamic p.c; gcc -O1 -static -o static p.c; gcc -O1 -static-pie -o pie p.c; gcc -O1 -no-pie -o fixed p.c
/usr/bin/python3 "$ROOT/tests/badinput/malformed.py" 2 60 || exit 1
leftover
