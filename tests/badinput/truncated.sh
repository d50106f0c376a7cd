# A truncated ELF at every kind of length: refused, or it dies as it does natively.
. "$ROOT/tests/badinput/lib.sh"
n=$(stat -c %s /bin/true)
for len in 4 16 40 64 100 300 600; do
    head -c $len /bin/true > cut; chmod 755 cut
    (exec ./cut) > /dev/null 2>&1; native=$?
    timeout 20 $COTTER -- ./cut > out 2> err; got=$?
    if [ $got -ne $native ] || [ $got -eq 126 ]; then refuse 126 'cut' -- ./cut; fi
    [ $got -lt 124 ] && { echo "length $len: exit status $got, native $native"; exit 1; }
done
for len in 4096 8192 $((n / 2)); do
    head -c $len /bin/true > cut; chmod 755 cut
    (exec ./cut) > /dev/null 2>&1; native=$?
    timeout 20 $COTTER -q -- ./cut > out 2> err; got=$?
    [ $got -eq $native ] || [ $got -eq 126 ] || {
        echo "length $len: exit status $got, native $native; $(cat err)"
        exit 1
    }
done
leftover
