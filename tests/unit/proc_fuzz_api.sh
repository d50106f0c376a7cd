# proc_fuzz_api.sh: damaged files of /proc for the readers of api/ and probe/, five seconds, under the sanitizers.
set -e
flags="-std=gnu11 -D_GNU_SOURCE -O1 -g -I$ROOT -I$ROOT/include -I$ROOT/tests/unit -I$ROOT/arch/x86 -I$ROOT/base/x86 -I$ROOT/api \
    -fsanitize=address,undefined -fno-sanitize=nonnull-attribute -fno-sanitize-recover=all -ffunction-sections -fdata-sections -w"
for part in 0 1 2 3 4 5 6; do
    gcc $flags -DPART=$part -c -o part$part.o "$ROOT"/tests/unit/proc_fuzz_api.c
done
gcc -fsanitize=address,undefined -Wl,--gc-sections -o fuzz part?.o "$ROOT"/base/str.c -I"$ROOT" -I"$ROOT"/base/x86
ASAN_OPTIONS=detect_leaks=0 ./fuzz 5 "${SEED:-1}"
