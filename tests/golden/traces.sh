# traces.sh: small pieces of assembly, and what they become: NAME.s -> NAME.out, as text to be judged by a reader.
# `make bless` writes what is seen now into the .out files; the difference is part of a review.
failed=0
for source in "$ROOT"/tests/golden/*.s; do
    name=$(basename "$source" .s)
    args=$(sed -n 's/.*golden-args: *//p' "$source")
    link=$(sed -n 's/.*golden-link: *//p' "$source")
    [ -n "$link" ] || link="-Wl,-Ttext=0x401000 -Wl,-Tdata=0x500000"
    gcc -nostdlib -static -no-pie $link -Wl,--build-id=none -o "$name" "$source" || exit 1
    "$COTTER" $args --log="$name.log" --dump-trace=all -- "./$name" || { echo "$name: status $?"; failed=1; }
    python3 "$ROOT/tests/golden/normal.py" "$name.log" >"$name.out"
    if [ -n "$BLESS" ]; then
        cp "$name.out" "$ROOT/tests/golden/$name.out"
    elif ! diff -u "$ROOT/tests/golden/$name.out" "$name.out"; then
        failed=1
    fi
done
exit $failed
