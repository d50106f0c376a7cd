#!/bin/sh
# build-zydis.sh DIR CC CFLAGS...: unpack the archive in DIR, build DIR/libZydis.a, leave the headers in DIR/include.
set -eu

dir=$1
cc=$2
shift 2
if ! echo '#include <Zycore/Types.h>' | "$cc" -E - >/dev/null 2>&1; then
    echo "the headers of libzycore-dev are missing: run 'make setup' first" >&2
    exit 1
fi
echo "  BUILD   $dir/libZydis.a"
rm -rf "$dir/src" "$dir/include" "$dir/obj"
mkdir -p "$dir/src" "$dir/obj"
tar -xzf "$dir"/zydis_*.orig.tar.gz -C "$dir/src" --strip-components=1
cp -r "$dir/src/include" "$dir/include"
ls "$dir"/src/src/*.c | xargs -P "$(nproc)" -I FILE sh -c '
    dir=$1; cc=$2; file=$3; shift 3
    exec "$cc" "$@" -I"$dir/include" -I"$dir/src/src" -c "$file" -o "$dir/obj/$(basename "$file" .c).o"
    ' build "$dir" "$cc" FILE "$@"
rm -f "$dir/libZydis.a"
ar rcs "$dir/libZydis.a" "$dir"/obj/*.o
