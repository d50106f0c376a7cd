# Options of a tool.
. "$ROOT/tests/tools/lib.sh"
tool knobs
run() { $COTTER -t "$TOOL" "$@" -- /bin/true 2>&1; }
same defaults "text none number 5 sum 0 flag 0 real 1.5 list range 0 set 0" "$(run)"
same given "text x number 18 sum 7 flag 1 real 2.5 list a b range 1 set 1" \
    "$(run -text x -number 3 -number 0x12 -sum 3 -sum 4 -flag -real 2.5 -pre_list a -pre_list b -range 0x1000:0x2000)"
same "- for _" "text none number 5 sum 0 flag 0 real 1.5 list a b range 0 set 0" "$(run -pre-list a -pre_list b)"
same "flag with value" "text none number 5 sum 0 flag 0 real 1.5 list range 0 set 0" "$(run -flag 0)"
run -nosuch | grep -q "the tool has no option -nosuch" || die "unknown option: $(run -nosuch)"
run --number=7 >out 2>&1; run -number 7 >out2 2>&1; cmp -s out out2 || die "--number=7: $(cat out)"
run --number=x | grep -q "bad value 'x'" || die "bad value behind =: $(run --number=x)"
run -number x | grep -q "bad value 'x'" || die "bad value: $(run -number x)"
run -text a -text b | grep -q "bad value 'b'" || die "given twice: $(run -text a -text b)"
run -text | grep -q "wants a value" || die "no value"
run -nosuch | grep -q "a heading" || die "no summary"
same "options as objects" "looked at" "$(run -manage -number 3 -pre_list a -pre_list b)"
