# Tools with makefiles of their own, built unchanged through `cotter --pin-root` and run by its `pin`.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
root=$($COTTER --pin-root)
cp -r "$src/pinroot" t
cd t || exit 1
make PIN_ROOT="$root" all >log 2>&1 || die "makefile.config: $(cat log)"
make -C old PIN_ROOT="$root" >log 2>&1 || die "makefile.gnu.config: $(cat log)"

same "XED" "BUFFER_TOO_SHORT GENERAL_ERROR 1102
all looked at" "$("$root/pin" -t obj-intel64/xeds.so -- /bin/ls / 2>&1 >/dev/null)"
same "cache model" "misses 256 hits 16128 same" "$("$root/pin" -t obj-intel64/model.so -- obj-intel64/walk.exe 2>&1)"
same "Pin 2" "region begins
walk 2 stack pointers 2 words 3bc" "$("$root/pin" -t old/obj-intel64/ancient.so -- obj-intel64/walk.exe 2>&1)"
# walk: its 8192 rounds of four instructions, twice, and a few around them.
out=$("$root/pin" -t obj-intel64/modern.so -filter_rtn walk -- obj-intel64/walk.exe 2>&1)
set -- $out
[ "$1" = filtered ] && [ "$2" -ge 65536 ] && [ "$2" -le 65560 ] && [ "$4" = $(($2 * 2)) ] || die "filter: $out"
# The controller changes at the border of a block, so the region is that much longer or shorter.
out=$("$root/pin" -t obj-intel64/region.so -skip 30000 -length 10000 -- obj-intel64/walk.exe 2>&1)
set -- $out
[ "$1" = region ] && [ "$2" -ge 9950 ] && [ "$2" -le 10050 ] || die "region: $out"
# Between marks: the first mark's nop, the loop and what is around it; from an instruction known by its bytes.
marked() { "$root/pin" -t obj-intel64/region.so "$@" -- obj-intel64/marks.exe 2>&1; }
same "marks" "region 2003" "$(marked -start_ssc_mark 111 -stop_ssc_mark 222)"
same "-control" "region 2003" "$(marked -control start:ssc:111,stop:ssc:222)"
same "-control, twice" "region 2003" "$(marked -control start:ssc:111 -control stop:ssc:222)"
same "bytes" "region 2002" "$(marked -control start:itext:b9e8030000,stop:ssc:222)"
out=$(marked -control start:ssc:111,stop:icount:500)
[ "${out#region }" -ge 490 ] && [ "${out#region }" -le 510 ] || die "stop:icount: $out"
marked -control start:weather:3 | grep -q "start:weather:3: the condition is none of" || die "-control: $(marked -control start:weather:3)"
same "bytes, by an option" "region 2002" "$(marked -start_itext b9e80300 -stop_ssc_mark 222)"
same "two regions" "region 3" "$(marked -start_ssc_mark 111 -stop_itext b9e803 -start-ssc-mark 222 -stop-itext bb33030000)"
# The int3 of the controller is not executed.
same "int3" "region 1-9
went on" "$("$root/pin" -t obj-intel64/region.so -control start:address:main,stop:int3 -- obj-intel64/breaks.exe 2>&1 | sed 's/ [1-9]$/ 1-9/' | sort)"

same "names of its own" "own names 1" "$("$root/pin" -t obj-intel64/ownnames.so -- obj-intel64/walk.exe 2>&1)"

# What the kit's tools use beside the interface; int3 left out; a message that ends the tool.
same "the kit's ways" "answer 42 seen 0 then 1
went on" "$("$root/pin" -t obj-intel64/kitlike.so -skip_int3 1 -- obj-intel64/breaks.exe 2>&1 | sort)"
same "int3 stays" 133 "$("$root/pin" -t obj-intel64/kitlike.so -- obj-intel64/breaks.exe >/dev/null 2>&1; echo $?)"
same "ASSERTQ" "A: asked to fail" "$("$root/pin" -t obj-intel64/kitlike.so -fail 1 -- obj-intel64/breaks.exe 2>&1)"
# A mistake in the use of the interface is told on stderr, and where messages are to be kept.
"$root/pin" -logfile pin.log -error_file error.log -t obj-intel64/kitlike.so -misuse 1 -- /bin/true >/dev/null 2>said
for f in said pin.log error.log; do grep -q IARG_MEMORYOP_EA $f || die "$f: no word of the mistake: $(cat $f)"; done
same "macros" "zero 0 eight 1" "$("$root/pin" -t obj-intel64/macros.so -- obj-intel64/walk.exe 2>&1)"
same "order" "longest first: 1" "$("$root/pin" -t obj-intel64/order.so -- obj-intel64/walk.exe 2>&1)"

# Neither with the directive nor without: the errors are shown.
echo 'nonsense' >modern.cpp
make PIN_ROOT="$root" obj-intel64/modern.so 2>&1 | grep -q "modern.cpp:1:.*nonsense" || die "no error shown"
