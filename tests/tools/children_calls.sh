# syscalltrace of a family against strace: forks, vforks, an exec that fails and one that does not. Each call is one line, in the
# process that made it; a child does not come out of a call that it has not made.
. "$ROOT/tests/tools/lib.sh"
command -v strace >/dev/null || { echo "no strace: not compared"; exit 0; }
cat > family.c <<'P'
#define _GNU_SOURCE
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(void)
{
    char *argv[] = { "true", NULL };
    pid_t pid;
    int status;
    if (!fork())
        _exit(1);
    wait(&status);
    if (!vfork()) {
        execv("/nonexistent/true", argv);
        execv("/bin/true", argv);
        _exit(2);
    }
    wait(&status);
    if (!vfork())
        _exit(3);
    wait(&status);
    if (!posix_spawnp(&pid, "true", NULL, NULL, argv, (char *[]){ "PATH=/nonexistent:/bin", NULL }))
        waitpid(pid, &status, 0);
    return getppid() == 0;
}
P
gcc -O1 -o family family.c || die "family.c does not build"
strace -f -qq -o native ./family || { echo "strace may not trace here: not compared"; exit 0; }
$COTTER -f -q run syscalltrace -json -o ours.%p -- ./family
cat > compare.py <<'P'
import collections, glob, json, re, sys
native = collections.Counter(m[1] for m in (re.match(r"\d+ +(\w+)\(", l) for l in open("native")) if m)
ours = collections.Counter(json.loads(l)["call"] for f in glob.glob("ours.*") for l in open(f))
native["execve"] -= 1                                   # strace's own, that began the program
names = ["fork", "vfork", "clone", "clone3", "execve", "wait4", "getppid", "exit_group"]
differ = {n: (native[n], ours[n]) for n in names if native[n] != ours[n]}
sys.exit("natively, ours: %s" % differ if differ else 0)
P
/usr/bin/python3 compare.py || die "differs from strace: $(cat native ours.*)"
# The parent's own vfork has the child's pid as its result.
cat ours.* | grep '"call": "vfork"' | grep -q '"result": [1-9]' || die "vfork: $(grep vfork ours.*)"
