# Every bundled tool: says what it is for, explains its options, refuses unknown ones, and leaves the program its output and its end:
# with threads, when a signal kills it, with children; its report is written all the same, and is JSON when asked for.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
program known -O0
cat >is_json.py <<'END'
import json, sys
text = open(sys.argv[1]).read()
try:
    json.loads(text)
except ValueError:                              # a trace: an object on each line, the report behind it
    lines = text.split("\n")
    at = next((i for i, l in enumerate(lines) if l == "{"), len(lines))
    for l in lines[:at]:
        if l:
            json.loads(l)
    if at < len(lines):
        json.loads("\n".join(lines[at:]))
END
n=0
while read -r t about; do
    n=$((n + 1))
    [ -n "$about" ] || die "$t has no line in cotter list"
    help=$($COTTER run "$t" --help) || die "$t --help: status $?"
    case $help in "$t: $about"*"  cotter run $t"*" -o "*) ;; *) die "$t --help: $help" ;; esac
    $COTTER run "$t" --no-such-option -- /bin/true >/dev/null 2>err
    [ $? = 125 ] && grep -q "no option --no-such-option" err || die "$t takes unknown options: $(cat err)"
    options=
    case $t in
    syscallpolicy) options="-deny unlink" ;;
    funcargs) options="-f fib" ;;
    itrace | champsim) options="-main" ;;
    bbv) options="-interval 10000" ;;
    esac
    rm -f report*
    same "$t: output" 55 "$($COTTER run "$t" $options --json -o report -- "$PROG" threads 2>err)"
    [ -s report ] || die "$t: no report: $(cat err)"
    python3 is_json.py report 2>err || die "$t --json: $(tail -1 err) $(head -3 report)"
    rm -f report*
    $COTTER run "$t" $options -o report -- "$PROG" crash >/dev/null 2>err
    [ $? = 139 ] || die "$t: the program's death by SIGSEGV shows as status $?"
    [ -s report ] || die "$t: no report after the crash"
    rm -f report*
    $COTTER -f run "$t" $options -o report -- sh -c "'$PROG' fork; '$PROG' >/dev/null; exit 4" >/dev/null 2>err
    [ $? = 4 ] || die "$t: status with children: $(cat err)"
    [ "$(ls report* | wc -l)" -ge 3 ] || die "$t: reports of children: $(ls)"
done < <($COTTER list)
[ $n -gt 20 ] || die "only $n tools"
