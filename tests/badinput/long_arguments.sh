# As many arguments as the kernel takes, and a very long one.
. "$ROOT/tests/badinput/lib.sh"
seq 1 20000 > n
a=$($COTTER -q -- /bin/echo $(cat n) | md5sum)
b=$(/bin/echo $(cat n) | md5sum)
[ "$a" = "$b" ] || { echo "arguments differ"; exit 1; }
long=$(head -c 131000 /dev/zero | tr '\0' x)
a=$($COTTER -q -- /bin/echo "$long" | wc -c)
[ "$a" -eq 131001 ] || { echo "long argument: $a"; exit 1; }
