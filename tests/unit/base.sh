# base.sh: strings, formats, heap and lock of base/, hosted, under the sanitizers, compared with the libc's.
set -e
flags="-std=gnu11 -O1 -g -I$ROOT -I$ROOT/tests/unit/toy -fsanitize=address,undefined -fno-sanitize-recover=all"
for file in "$ROOT"/base/*.c; do
    gcc $flags -Wall -Wextra -Werror -ffreestanding -include base/str.h -c "$file" -o "$(basename "$file").o"
done
gcc $flags -D_GNU_SOURCE -Wall -o base_test "$ROOT/tests/unit/base_test.c" ./*.o -pthread
timeout 20 ./base_test
