# At the end one line tells how many programs ran natively: with a tool, with --stats, with -v. A bare run's stderr stays the
# program's own, and -q keeps silent. A program that could not be executed does not count; one that takes the place of
# the first one does.
set -e
cat > starts.c <<'C'
#define _GNU_SOURCE
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv)
{
    char *none[] = { "true", NULL };
    pid_t p;
    for (const char *how = argv[1]; *how; how++)
        switch (*how) {
        case 's': posix_spawn(&p, "/bin/true", NULL, NULL, none, environ); break;
        case 'f': if (!fork()) execv("/bin/true", none); break;
        case 'v': if (!vfork()) { execv("/bin/true", none); _exit(1); } break;
        case 'b': if (!fork()) _exit(execv("/nonexistent", none)); break;
        case 'n': if (!fork()) _exit(0); break;
        case 'e': while (wait(NULL) > 0) ; execv("/bin/true", none); break;
        }
    while (wait(NULL) > 0)
        ;
    return 0;
}
C
gcc -o starts starts.c
line() { [ $1 = 1 ] && echo "cotter: 1 program started by this one ran natively; -f follows them" || echo "cotter: $1 programs started by this one ran natively; -f follows them"; }
check() {                               # how many, options, what the program does
    [ $1 = 0 ] && : > want || line $1 > want
    $COTTER $2 -- ./starts "$3" 2> got
    cmp -s want got || { echo "$2, $3: not $1: $(cat got)"; exit 1; }
}
report="--stats --stats-file=/dev/null"
for options in "$report" -v "run icount -o /dev/null"; do
    check 1 "$options" s
    check 1 "$options" f
    check 1 "$options" v
    check 3 "$options" sfv
    check 2 "$options" sbnf
    check 0 "$options" bn
    check 1 "$options" e
    check 3 "$options" sfe
done
check 0 "" sfv
check 0 "-q $report" sfv
check 0 "-f $report" sfv
check 0 "-f -v" sfve
