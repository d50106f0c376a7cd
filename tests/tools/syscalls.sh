# System calls: the same sequence, arguments and results as strace shows; counts; threads; rules that deny.
. "$ROOT/tests/tools/lib.sh"
cat >calls.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <signal.h>
int main(void)
{
    char buffer[64];
    int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0640);
    write(fd, "line one\nline \"two\"\n", 20);
    lseek(fd, 5, SEEK_SET);
    read(fd, buffer, 10);
    close(fd);
    open("/nonexistent/x", O_RDONLY);
    mkdir("folder", 0700);
    rename("file", "folder/file");
    unlink("folder/file");
    rmdir("folder");
    access("folder", F_OK);
    dup2(1, 77);
    kill(getpid(), SIGWINCH);
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    write(77, "done\n", 5);
    return 3;
}
END
gcc -O1 -static -w -o calls calls.c || die "does not build"
strace -o native ./calls >/dev/null
$COTTER run syscalltrace -o under -- ./calls >/dev/null; [ $? = 3 ] || die "status"
$COTTER run syscalltrace -c --json -o counts -- ./calls >/dev/null
$COTTER run syscalltrace --json -e 'open*,mkdir' -o some -- ./calls >/dev/null
cat >check.py <<'END'
import collections, json, re
def normal(l):
    l = re.sub(r"\s+= ", " = ", l.strip())
    l = re.sub(r"0x[0-9a-f]{7,}", "ADDR", l)                     # places differ between two runs
    l = re.sub(r"(getpid\(\)) = \d+", r"\1 = PID", l)
    l = re.sub(r"kill\(\d+", "kill(PID", l)
    l = l.replace("SEEK_SET", "0").replace("F_OK", "0")          # numbers that strace names
    return l
native = [normal(l) for l in open("native") if not l.startswith(("+++", "---"))][1:]        # without execve
under = [normal(l) for l in open("under")]
name = lambda l: l.split("(")[0]
assert [name(l) for l in native] == [name(l) for l in under], (native, under)
exact = ("openat", "open", "write", "read", "close", "lseek", "mkdir", "rename", "unlink", "rmdir", "access", "dup2", "getpid", "kill",
         "mmap", "exit_group", "munmap", "mprotect")
different = [(a, b) for a, b in zip(native, under) if name(a) in exact and a != b]
assert not different, different
assert len([l for l in under if name(l) in exact]) > 15
counts = {c["call"]: c for c in json.load(open("counts"))["calls"]}
assert {n: c["calls"] for n, c in counts.items()} == collections.Counter(map(name, under))
assert counts["access"]["errors"] == 1 and sum(c["errors"] for c in counts.values()) == sum(" = -1 " in l for l in under)
some = [json.loads(l) for l in open("some")]
assert [s["call"] for s in some] == ["openat", "openat", "mkdir"] and some[1]["error"] == "ENOENT" and some[0]["result"] >= 3, some
END
python3 check.py || die "differs from strace"

# A policy: only below ok/ may be written; nothing may be removed. Links do not help.
here=$(pwd -P)
mkdir ok && ln -s "$here" ok/out && ln -s "$here/made" ok/link
cat >rules <<END
# comment
allow openat $here/ok/*
allow openat /dev/*
deny openat:write *
deny unlink*
END
$COTTER -f run syscallpolicy -rules rules -o denied -- sh -c 'echo a >ok/a; echo b >b; echo c >ok/../c; echo d >ok/out/d; echo e >ok/link; rm ok/a; cat ok/a' \
    >out 2>err
same "allowed" "a" "$(cat out)"
[ -e ok/a ] && ! [ -e b ] && ! [ -e c ] && ! [ -e d ] && ! [ -e made ] || die "policy: $(ls; cat err)"
same "denied" 5 "$(grep -c ': denied: ' err)"
grep -q "4 of .* system calls denied" denied || die "report: $(cat denied)"
$COTTER run syscallpolicy -deny write -action kill -- echo hello >out 2>err; [ $? = 159 ] && ! [ -s out ] || die "kill"
$COTTER run syscallpolicy -deny 'mkdir*' -errno ENOSPC -quiet -- mkdir new 2>err; grep -q "No space left" err || die "errno: $(cat err)"
$COTTER run syscallpolicy -deny write -action log -- echo hello 2>err | grep -q hello && grep -q "would be denied" err || die "log"
$COTTER run syscallpolicy -deny nocall -- echo hello 2>&1 | grep -q "no system call is called nocall" || die "unknown call"
echo "permit write" >bad; $COTTER run syscallpolicy -rules bad -- echo hello 2>&1 | grep -q "bad:1: not a rule" || die "bad rule"
