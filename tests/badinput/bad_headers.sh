# Program headers that make no sense: huge counts, offsets outside, overlapping segments, a missing interpreter.
. "$ROOT/tests/badinput/lib.sh"
byte() { printf "$2" | dd of=x bs=1 seek=$1 conv=notrunc status=none; }
for edit in '56 \377\377' '54 \001\000' '32 \377\377\377\377\377\377\377\177' '24 \000\000\000\000\000\000\000\000'; do
    cp /bin/true x; byte ${edit% *} "${edit#* }"
    (exec ./x) > /dev/null 2>&1; native=$?
    timeout 20 $COTTER -q -- ./x > out 2> err; got=$?
    [ $got -eq $native ] || [ $got -eq 126 ] || {
        echo "edit $edit: exit status $got, native $native; $(head -3 err)"
        exit 1
    }
done
cp /bin/true x; at=$(grep -obUa 'ld-linux-x86-64' x | head -1 | cut -d: -f1); byte $at 'no-such-interp!'
refuse '126 127' 'x' -- ./x
leftover
