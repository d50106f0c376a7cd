# elf_fuzz.sh: damaged programs, scripts and tools for five seconds, under the sanitizers. Headers may lie unaligned in
# a damaged file: the launcher reads them as they are, which x86 allows.
set -e
echo 'int main(void) { return 0; }' >seed.c
gcc -o dynamic seed.c
gcc -nostdlib -static -o static -xc - <<<'void _start(void) { for (;;) ; }'
gcc -O1 -nostdlib -static-pie -fPIE -I"$ROOT" -o tool -xc - <<'END'
#include "loader/handoff.h"
__attribute__((section(HANDOFF_NOTE_SECTION), used, aligned(4))) static const struct handoff_note note =
    { sizeof HANDOFF_NOTE_NAME, 8, HANDOFF_NOTE_TYPE, HANDOFF_NOTE_NAME, HANDOFF_VERSION, sizeof(struct handoff) };
void _start(void) { for (;;) ; }
END
printf '#!/bin/sh -e x\necho\n' >script
gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -I"$ROOT" -I"$ROOT/tests/unit" -I"$ROOT/tests/unit/toy" \
    -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=all -o fuzz \
    "$ROOT"/tests/unit/elf_fuzz.c "$ROOT"/loader/{exe,symbol}.c "$ROOT"/launcher/{elfmap,near,script,tool}.c
ASAN_OPTIONS=detect_leaks=0 ./fuzz 5 "${SEED:-1}" ./scratch dynamic static tool script
