# probe.sh: the patching core of probe mode, hosted and alone: nothing of the engine is linked.
set -e
flags="-std=gnu11 -O1 -g -I$ROOT -I$ROOT/base/x86 -I$ROOT/arch/x86"
for file in "$ROOT"/base/*.c "$ROOT"/probe/*.c "$ROOT"/arch/x86/probe.c "$ROOT"/arch/x86/probe_write.c "$ROOT"/arch/x86/decode.c; do
    gcc $flags -Wall -Wextra -Wno-unused-parameter -Werror -ffreestanding -include base/str.h -c "$file" -o "$(basename "$file").$(basename "$(dirname "$file")").o"
done
gcc $flags -c "$ROOT/arch/x86/probe_spawn.S" -o spawn.o
gcc $flags -c "$ROOT/tests/unit/probe_cases.S" -o cases.o
gcc $flags -Wall -o probe_test "$ROOT/tests/unit/probe_test.c" ./*.o -pthread -ldl
timeout 60 ./probe_test
