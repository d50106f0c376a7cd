# What a forked child had to translate, its parent translates before it forks again: later children make nothing. With --no-lessons and
# under a tool that could tell each makes its own. A family that has filled its notes goes on as well.
set -e
cat > p.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < atoi(argv[1]); i++) {
        pid_t pid = fork();
        if (!pid) {
            char text[64];
            double v = i;
            snprintf(text, sizeof text, "%d %g %s", i, v / 7, "and so on");
            qsort(text, 20, 1, (int (*)(const void *, const void *))(void *)abs);
            _exit(i & 15);
        }
        int status;
        waitpid(pid, &status, 0);
        printf("%d", WEXITSTATUS(status));
    }
    puts("");
}
C
gcc -O1 -w -o p p.c
./p 6 > native
stat() { grep -o "\"$1\": [0-9]*" "$2" | grep -o '[0-9]*$'; }
# A file for each process: the first one is the parent's, the last one the last child's. A child counts what its parent had made, too.
run()
{
    rm -f stats.*
    $COTTER -f --stats=json --stats-file=stats.%p "$@" -- ./p 6 > out
    cmp native out
    parent=$(ls stats.* | sort -t. -k2n | head -1) child=$(ls stats.* | sort -t. -k2n | tail -1)
    learnt=$(stat learnt "$parent") own=$(($(stat traces "$child") - $(stat traces "$parent")))
}
run
[ "$learnt" -gt 20 ] || { echo "the parent learnt $learnt traces"; exit 1; }
[ "$own" -lt 10 ] || { echo "the last child has made $own traces"; exit 1; }
run --no-lessons
[ "$learnt" = 0 ] && [ "$own" -gt 20 ] || { echo "with --no-lessons the parent learnt $learnt traces, the last child has made $own"; exit 1; }
# A tool whose callbacks look at nothing but code cannot tell, and counts the same; any other would see code that did not run.
cat > tool.c <<'C'
#include <pin.h>
static UINT64 count;
static UINT32 shown, limit = 1000;
static __thread UINT32 own;
static VOID block(UINT32 n) { count += n; }
static VOID look(TRACE trace, VOID *v)
{
    if (LOOKS)
        for (BBL b = TRACE_BblHead(trace); BBL_Valid(b); b = BBL_Next(b))
            BBL_InsertCall(b, IPOINT_BEFORE, AFUNPTR(block), IARG_UINT32, BBL_NumIns(b), IARG_END);
}
static VOID fini(INT32 code, VOID *v)
{
    char name[32];
    snprintf(name, sizeof name, "count.%d", PIN_GetPid());
    FILE *f = fopen(name, "w");
    fprintf(f, "%lu\n", count);
    fclose(f);
}
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    if (argc > 20)
        limit = own = (UINT32)argc;
    TRACE_AddInstrumentFunction(look, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
C
counts() { cat $(ls count.* | sort -t. -k2n); rm -f count.*; }
build() { $COTTER build -O2 -w "-DLOOKS=$1" tool.c -o tool; }
build 1
run -t ./tool
[ "$learnt" -gt 20 ] && [ "$own" -lt 10 ] || { echo "under a tool that cannot tell the parent learnt $learnt traces, the last child has made $own"; exit 1; }
rm -f count.*
setarch -R $COTTER -f -t ./tool -- ./p 6 > out
counts > with
setarch -R $COTTER -f --no-lessons -t ./tool -- ./p 6 > out
counts > without
cmp with without || { echo "a tool counts differently with lessons: $(paste with without)"; exit 1; }
for looks in '++shown' 'shown < limit' 'own == 0'; do
    build "$looks"
    run -t ./tool
    [ "$learnt" = 0 ] && [ "$own" -gt 20 ] || { echo "under a tool with $looks the parent learnt $learnt traces, the last child has made $own"; exit 1; }
done
# More than there is room for: a hundred children, each of which has code of its own.
cat > q.c <<'C'
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    unsigned char *p = mmap(NULL, 1 << 21, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 1 << 21; i += 8) {
        p[i] = 0xc3;
        p[i + 1] = 0x90;
    }
    mprotect(p, 1 << 21, PROT_READ | PROT_EXEC);
    for (int i = 0; i < 100; i++) {
        if (!fork()) {
            for (int k = 0; k < 200; k++)
                ((void (*)(void))(p + (i * 200 + k) * 8))();
            _exit(0);
        }
        int status;
        wait(&status);
        if (status)
            return 1;
    }
    puts("done");
}
C
gcc -O1 -o q q.c
[ "$($COTTER -- ./q)" = done ] || { echo "notes that are full"; exit 1; }
