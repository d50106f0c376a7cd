# Libraries with the same layout take each other's place in memory: what is called is what is loaded now.
cat > lib.c <<'C'
int answer(void) { return N; }
C
for n in 1 2 3; do gcc -shared -fPIC -DN=$n -o lib$n.so lib.c; done
cat > p.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    int bad = 0, reused = 0;
    void *last = NULL;
    for (int i = 0; i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "./lib%d.so", i % 3 + 1);
        void *h = dlopen(name, RTLD_NOW);
        int (*f)(void) = (int (*)(void))dlsym(h, "answer");
        reused += (void *)f == last;
        last = (void *)f;
        bad += f() != i % 3 + 1;
        dlclose(h);
    }
    printf("bad %d, %s\n", bad, reused > 200 ? "at the same address" : "elsewhere");
    return 0;
}
C
gcc -o p p.c -ldl
want=$(./p)
for mode in "" --max-trace-ins=1 --returns=precall "--cache-limit=64k --cache-block=16k"; do
    got=$($COTTER -q $mode -- ./p)
    [ "$got" = "$want" ] && [ "$got" = "bad 0, at the same address" ] || { echo "$mode: natively $want, here $got"; exit 1; }
done
