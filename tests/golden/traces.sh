# traces.sh: small pieces of assembly, and what they become: NAME.s -> NAME.out, as text to be judged by a reader. With
# `golden-tool: TOOL` (of bench/tools or tests/tools) in the source: what they become under that tool, before and after each step that
# makes its calls cheaper. `make bless` writes what is seen now into the .out files; the difference is part of a review.
failed=0

# dump NAME ARGS...: the traces of ./NAME
dump() {
    local name=$1
    shift
    "$COTTER" "$@" -- "./$name" 2>"$name.err" || { echo "$name: status $?"; cat "$name.err"; failed=1; }
    python3 "$ROOT/tests/golden/normal.py" "$name.log"
}

for source in "$ROOT"/tests/golden/*.s; do
    name=$(basename "$source" .s)
    args=$(sed -n 's/.*golden-args: *//p' "$source")
    link=$(sed -n 's/.*golden-link: *//p' "$source")
    tool=$(sed -n 's/.*golden-tool: *//p' "$source")
    [ -n "$link" ] || link="-Wl,-Ttext=0x401000 -Wl,-Tdata=0x500000"
    gcc -nostdlib -static -no-pie $link -Wl,--build-id=none -o "$name" "$source" || exit 1
    if [ -n "$tool" ]; then
        where=$ROOT/bench/tools/$tool.c
        [ -f "$where" ] || where=$ROOT/tests/tools/src/$tool.c
        [ -x "$tool" ] || "$COTTER" build "$where" -o "$PWD/$tool" || exit 1
        for level in none inline flags schedule all; do
            echo "==== $tool, --opt=$level"
            dump "$name" --log="$name.log" --dump-trace=0x401000 --max-trace-bbl=1 $args --opt=$level -t "$PWD/$tool"
        done >"$name.out"
    else
        dump "$name" $args --log="$name.log" --dump-trace=all >"$name.out"
    fi
    if [ -n "$BLESS" ]; then
        cp "$name.out" "$ROOT/tests/golden/$name.out"
    elif ! diff -u "$ROOT/tests/golden/$name.out" "$name.out"; then
        failed=1
    fi
done
exit $failed
