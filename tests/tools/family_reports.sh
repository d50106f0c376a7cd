# -f: every process of a family, and every program that one process executes, has a report of its own, and the right one: scripts,
# static programs, chains of execs, forks without exec, vfork, posix_spawn. The same holds for --stats-file and --log. Without -f
# one line at the end tells how many programs were not followed.
. "$ROOT/tests/tools/lib.sh"

# Each program, and each forked child, has a number of its own. It writes it down with its pid, and runs a loop of so many
# million instructions: a report that was mixed up or written over cannot have that count.
cat > family.h <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void live(long number)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%d %ld\n", getpid(), number), fd = open("journal", O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (write(fd, line, n) != n)
        abort();
    close(fd);
    n = (int)(number * 500000);
    __asm__ volatile("1: dec %0; jnz 1b" : "+r"(n));
}
C
cat > leaf.c <<'C'
#include "family.h"
/* leaf NUMBER [PROGRAM NUMBER]...: goes on as the next program. */
int main(int argc, char **argv)
{
    live(atol(argv[1]));
    if (argc > 2)
        execv(argv[2], argv + 2);
    return argc > 2;
}
C
cat > tree.c <<'C'
#include "family.h"
extern char **environ;
static int done(void) { int status, bad = 0; while (wait(&status) > 0) bad |= status; return bad; }
int main(void)
{
    char *still[] = { "./leaf_static", "4", NULL }, *shared[] = { "./leaf", "5", NULL }, *script[] = { "./script", NULL };
    char *chain[] = { "./leaf", "7", "./leaf_static", "8", "./leaf", "9", NULL };
    char *last[] = { "./leaf", "10", NULL };
    pid_t p;
    live(1);
    if (!fork()) { live(2); if (!fork()) { live(3); _exit(0); } _exit(done() != 0); }
    if (!fork()) { execv(still[0], still); _exit(1); }
    if (!vfork()) { execv(shared[0], shared); _exit(1); }
    if (posix_spawn(&p, script[0], NULL, NULL, script, environ)) abort();
    if (!fork()) { live(11); execv(chain[0], chain); _exit(1); }
    if (!fork()) { if (chdir("/")) abort(); _exit(0); }
    if (done()) abort();
    execv(last[0], last);
    abort();
}
C
gcc -O1 -o tree tree.c && gcc -O1 -o leaf leaf.c && gcc -O1 -static -o leaf_static leaf.c || die "does not build"
printf '#!/bin/sh\nexec ./leaf 6\n' > script
chmod +x script

# judge FOLDER NAME NUMBERS SMALL: the reports in this folder are those of the journal's processes with these numbers, in the order
# in which each process had them, and SMALL others.
cat > judge.py <<'P'
import collections, json, re, sys, os
folder, name, numbers, small = sys.argv[1], sys.argv[2], set(map(int, sys.argv[3].split())), int(sys.argv[4])
images = collections.defaultdict(list)
for line in open("journal"):
    pid, number = map(int, line.split())
    if number in numbers:
        images[pid].append(number)
assert sum(map(len, images.values())) == len(numbers), images
seen, others = collections.defaultdict(list), 0
def order(file):                                # NAME, NAME.PID, NAME.PID.1, NAME.PID.2: as one process writes them
    return [int(n) for n in re.findall(r"\d+", file[len(name):])]
for file in sorted((f for f in os.listdir(folder) if f.startswith(name)), key=order):
    r = json.load(open(os.path.join(folder, file)))
    number, rest = divmod(r["instructions"], 1000000)
    assert rest < 500000, (file, r)
    if number:
        seen[r["pid"]].append(number)
        expected = "tree" if number in (1, 2, 3, 11) else "leaf_static" if number in (4, 8) else "leaf"
        assert os.path.basename(r["program"]) == expected, (file, r)
    else:
        others += 1
assert seen == images, (seen, images)
assert others == small, (others, os.listdir(folder))
P
all="1 2 3 4 5 6 7 8 9 10 11"
run() { rm -rf out journal; mkdir out; $COTTER -q "$@" || die "$*: status $?"; }
# The others: the child that goes to / , the shell, and what a fork did before its exec.
for way in ptrace exec; do
    for t in icount opcodemix; do
        run -f --inject=$way run $t -json -o out/r -- ./tree
        python3 judge.py out r "$all" 3 || die "$t, $way"
        run -f --inject=$way run $t -json -o out/r.%p -- ./tree
        python3 judge.py out r "$all" 3 || die "$t, $way, %p"
    done
done
where=$(mktemp -d /dev/shm/cotter.XXXXXX) || die "no /dev/shm"
trap 'rm -rf "$where"' EXIT
run -f run icount -json -o "$where/r" -- ./tree
python3 judge.py "$where" r "$all" 3 || die "/dev/shm"

# A report that cannot be written in a child goes to stderr, and the child lives on; the first process does not begin.
cat > drops.c <<'C'
#include "family.h"
int main(void)
{
    if (fork()) { int s; wait(&s); return WEXITSTATUS(s); }
    if (setgid(65534) || setuid(65534)) return 3;
    execl("/bin/echo", "echo", "alive", NULL);
}
C
gcc -O1 -o drops drops.c
if [ "$(id -u)" = 0 ]; then
    run -f --stats=json --stats-file="$PWD/out/s" run icount -json -o out/r -- ./drops > got 2> err
    same "a child without rights" alive "$(cat got)"
    grep -q '"program": "[^"]*echo"' err && grep -q 'cannot write .*out/r\.' err && grep -q 'cannot write .*out/s\.' err || die "its report: $(cat err)"
fi

# The same for the engine's own files: one of statistics for each of the 14 images, and a log each.
for p in "" .%p; do
    run -f --stats=json --stats-file=out/s$p --log=out/l$p -- ./tree
    same "statistics$p" 14 "$(ls out/s* | wc -l)"
    same "logs$p" 14 "$(ls out/l* | wc -l)"
    python3 -c '
import collections, json, os
pids = collections.Counter(json.load(open("out/" + f))["pid"] for f in os.listdir("out") if f[0] == "s")
assert sorted(pids.values()) == [1] * 4 + [2, 2, 2, 4], pids
# A vfork child borrows its parent: the log of the tree has lines of its two as well.
logs = [len({line.split()[0] for line in open("out/" + f) if line[0] == "["}) for f in os.listdir("out") if f[0] == "l"]
assert sorted(logs) == [1] * 13 + [3], logs' || die "statistics$p"
done

# Natively: forked children are under Cotter as long as they execute nothing.
rm -rf out journal; mkdir out
$COTTER run icount -json -o out/r -- ./tree 2> err || die "natively: $?"
same "one line" "cotter: 5 programs started by this one ran natively; -f follows them" "$(cat err)"
python3 judge.py out r "1 2 3" 1 || die "natively"
