# proc_fuzz.sh: damaged files of /proc for five seconds, under the sanitizers.
set -e
gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -I"$ROOT" -I"$ROOT/tests/unit" -I"$ROOT/tests/unit/toy" -I"$ROOT/base/x86" \
    -fsanitize=address,undefined -fno-sanitize=nonnull-attribute -fno-sanitize-recover=all -ffunction-sections -Wl,--gc-sections -o fuzz "$ROOT"/tests/unit/proc_fuzz.c "$ROOT"/base/print.c
ASAN_OPTIONS=detect_leaks=0 ./fuzz 5 "${SEED:-1}"
