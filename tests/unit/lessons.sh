# What a forked child had to translate, its parent translates before it forks again: later children make nothing. With --no-lessons and
# under a tool each makes its own. A family that has filled its notes goes on as well.
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
run run bbcount -o report
[ "$learnt" = 0 ] && [ "$own" -gt 20 ] || { echo "under a tool the parent learnt $learnt traces, the last child has made $own"; exit 1; }
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
