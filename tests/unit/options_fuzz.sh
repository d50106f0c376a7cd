# options_fuzz.sh: random command lines for five seconds, under the sanitizers.
set -e
gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -I"$ROOT" -I"$ROOT/tests/unit" -fsanitize=address,undefined \
    -fno-sanitize-recover=all -o fuzz "$ROOT/tests/unit/options_fuzz.c" "$ROOT"/launcher/{options,near}.c \
    "$ROOT"/launcher/option_table.c
ASAN_OPTIONS=detect_leaks=0 ./fuzz 5 "${SEED:-1}"
