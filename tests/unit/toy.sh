# toy.sh: the generic engine compiled for a toy CPU with four registers, under the sanitizers (see toy/toy.h).
# test-timeout: 120
set -e
cd "$ROOT"
out=$OLDPWD
flags="-std=gnu11 -O1 -g -Wall -Wextra -Wno-unused-parameter -Werror -I. -Itests/unit/toy -fsanitize=address,undefined
    -fno-sanitize-recover=all"

# Every generic file must compile for it: what does not, knows a CPU that it should not know.
for file in $(find engine -name '*.c'); do
    gcc -std=gnu11 -Wall -Werror -fsyntax-only -ffreestanding -I. -Itests/unit/toy -include base/str.h "$file"
done

gcc $flags -include base/str.h -o "$out/toy" tests/unit/toy/*.c base/str.c base/reserve.c engine/jit/trace.c engine/jit/choose.c engine/jit/reshape.c engine/jit/emit.c engine/jit/fetch.c \
    engine/jit/context.c engine/jit/instrument.c engine/jit/promote/*.c engine/jit/countdown.c engine/jit/replace.c engine/cache/*.c
cd "$out"
export UBSAN_OPTIONS=print_stacktrace=1
./toy 16384 15000 1
./toy 65536 15000 2
