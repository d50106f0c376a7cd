# Long runs show progress on a terminal, in one line that is gone when the report comes; elsewhere nothing is shown.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
cat > busy.py <<'P'
import os, time
end = time.monotonic() + 2.5
while time.monotonic() < end:
    sum(i * i for i in range(1000))
    os.getppid()
print("done")
P
cat > terminal.py <<'P'
import os, pty, subprocess, sys
outer, inner = pty.openpty()
out = inner if sys.argv[1] == "both" else open(sys.argv[1], "w")
p = subprocess.Popen(sys.argv[2:], stdout=out, stderr=inner, stdin=subprocess.DEVNULL)
os.close(inner)
text = b""
while True:
    try:
        piece = os.read(outer, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
p.wait()
sys.stdout.write(text.decode().replace("\r", "<CR>").replace("\x1b[K", "<K>"))
P
cat > spin.c <<'P'
/* Computes, without a system call and without new code, until the file that it maps says that it has been long enough. */
#include <fcntl.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
    volatile char *go = mmap(0, 4096, PROT_READ, MAP_SHARED, open(argv[1], O_RDONLY), 0);
    while (*go)
        ;
    return 7;
}
P
cat > spin.py <<'P'
import os, pty, signal, subprocess, sys
open("go", "wb").write(b"x" * 4096)
outer, inner = pty.openpty()
p = subprocess.Popen(sys.argv[2:], stdout=open("out", "w"), stderr=inner, stdin=subprocess.DEVNULL)
os.close(inner)
text, is_told = b"", False
while True:
    try:
        piece = os.read(outer, 4096)
    except OSError:
        break
    text += piece
    if b" 2 s\x1b[K" in text and not is_told:
        is_told = True
        if sys.argv[1] == "end":
            open("go", "r+b").write(b"\0")
        elif sys.argv[1] == "kill":
            p.kill()
        elif sys.argv[1] == "term":
            p.terminate()
print(p.wait(), text.decode().replace("\r", "<CR>").replace("\x1b[K", "<K>"))
P
python=/usr/bin/python3
# A program that only computes: the time is shown by a process of its own, which ends with the program. Whoever kills the program
# finds no line left over.
gcc -O1 -o spin spin.c || die "spin.c does not build"
for t in icount opcodemix heapcheck; do
    $python spin.py end $COTTER run $t -o report -- ./spin go > shown
    grep -qx "7 <CR>$t: 1 s<K><CR>$t: 2 s<K>\(<CR>$t: [0-9]* s<K>\)*<CR><K>" shown || die "$t: a program that only computes: $(cat shown)"
    [ -s report ] || die "$t: no report"
    rm report
done
for how in kill:-9 term:-15; do
    $python spin.py ${how%:*} $COTTER run icount -o report -- ./spin go > shown
    grep -qx -- "${how#*:} <CR>icount: 1 s<K><CR>icount: 2 s<K>\(<CR>icount: [0-9]* s<K>\)*<CR><K>" shown || die "$how: $(cat shown)"
done
# The program has no thread and no child more than natively, and its descriptors are its own.
cat > alone.c <<'P'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int status, r = waitpid(-1, &status, __WALL);
    printf("wait %d %d\n", r, r < 0 ? errno : 0);
    printf("next descriptor %d\n", open("/dev/null", O_RDONLY));
    r = unshare(CLONE_NEWUSER);
    printf("unshare %d %d\n", r, r < 0 ? errno : 0);
    return 0;
}
P
gcc -O1 -o alone alone.c || die "alone.c does not build"
$python terminal.py native ./alone > shown
$python terminal.py ours $COTTER run icount -o report -- ./alone > shown
same "alone with a ticker" "$(cat native)" "$(cat ours)"
for t in icount:' s' cachesim:' accesses' memtrace:' accesses'; do
    name=${t%%:*}
    $python terminal.py out $COTTER run $name -o report -- $python -S -E busy.py > shown || die "$name: $(cat shown)"
    grep -q "<CR>$name: [0-9,]*${t#*:}.*<K>" shown || die "$name shows no progress: $(head -c 2000 shown)"
    same "$name: the program's output" "done" "$(cat out)"
    ! grep -q "[a-z]<K>[a-z]" shown || die "$name: the line stays: $(tail -c 500 shown)"
    rm -f report*
done
$python terminal.py out $COTTER run icount -- $python -S -E busy.py > shown
grep -q "<CR><K>icount: [0-9,]* instructions" shown || die "icount: the line stays: $(tail -c 500 shown)"
$COTTER run icount -- $python -S -E busy.py 2> err > out
same "no terminal" 1 "$(wc -l < err | tr -d ' ')"
$python terminal.py out $COTTER -q run icount -o report -- $python -S -E busy.py > shown
same "-q" "" "$(cat shown)"
# The program's own output is on the terminal, too: complete lines of it are left alone, and so is a line that it has only begun.
cat > lines.py <<'P'
import os, time
def work(s):
    end = time.monotonic() + s
    while time.monotonic() < end:
        os.getppid()
os.write(1, b"one\n")
work(2)
os.write(1, b"two\nprompt> ")
work(2)
os.write(1, b"answer\n")
P
$python terminal.py both $COTTER run icount -- $python -S -E lines.py > shown || die "both: $(cat shown)"
sed 's/<CR>$//' shown > plain
grep -q "^<CR>icount: 1 s<K>.*<CR><K>two$" plain || die "no progress between the program's lines: $(cat shown)"
grep -q "^prompt> answer$" plain && grep -q "one$" plain || die "progress within a line: $(cat shown)"
same "the report" 1 "$(grep -c "icount: [0-9,]* instructions" plain)"
# A program with children: what they write is not seen, so nothing is shown beside it.
$python terminal.py both $COTTER run icount -- bash -c '/bin/true; echo begun; end=$((SECONDS + 3)); while [ $SECONDS -lt $end ]; do :; done; /bin/echo child' > shown
sed '1,/begun/d' shown | grep -q "icount: [0-9]* s<K>" && die "progress beside children: $(cat shown)"
true
