# Damaged ELF files must not crash, hang or confuse api/sym.h; a few seconds here, long in a soak.
# test-timeout: 180
set -u
cat >small.c <<'END'
#include <stdio.h>
#include <math.h>
static int helper(int a) { return a * 2; }
int main(int argc, char **argv) { printf("%f\n", sqrt(helper(argc))); return 0; }
END
cat >small.cc <<'END'
#include <string>
template <class T> struct box { T t; T get() { return t; } };
int main(int argc, char **argv) { return (int)box<std::string>{argv[0]}.get().size(); }
END
gcc -g -O1 -o plain small.c -lm
gcc -g -gdwarf-4 -O1 -no-pie -o four small.c -lm
gcc -g -gz -O1 -fcf-protection=full -o packed small.c -lm
g++ -g -O1 -shared -fPIC -o small.so small.cc
strip -o stripped small.so
cp /lib64/ld-linux-x86-64.so.2 ld.so
gcc -O1 -g -std=gnu11 -D_GNU_SOURCE -fsanitize=address,undefined -fno-sanitize-recover=undefined -I"$ROOT" -o fuzz \
    "$ROOT"/tests/unit/sym_fuzz.c "$ROOT"/api/sym_*.c -ldw -lelf -lz -liberty || exit 1
seconds=$((SOAK_MINUTES * 10 + 8))
seed=${SEED:-$(date +%s)}
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=2000
./fuzz $seconds "$seed" plain four packed small.so stripped ld.so && exit 0
echo "FAIL: seed $seed round $(head -1 sym_fuzz.round)"
exit 1
