# Long runs show progress on a terminal, in one line that is gone when the report comes; elsewhere nothing is shown.
# test-timeout: 120
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
p = subprocess.Popen(sys.argv[2:], stdout=open(sys.argv[1], "w"), stderr=inner, stdin=subprocess.DEVNULL)
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
python=/usr/bin/python3
for t in icount:' s' coverage:' s' heapcheck:' s' cachesim:' accesses' champsim:' instructions' memtrace:' accesses'; do
    name=${t%%:*}
    $python terminal.py out $COTTER -q run $name -o report -- $python -S -E busy.py > shown || die "$name: $(cat shown)"
    grep -q "<CR>$name: [0-9,]*${t#*:}.*<K>" shown || die "$name shows no progress: $(head -c 2000 shown)"
    same "$name: the program's output" "done" "$(cat out)"
    rm -f report*
done
$python terminal.py out $COTTER -q run icount -- $python -S -E busy.py > shown
grep -q "<CR><K>icount: [0-9,]* instructions" shown || die "the line stays: $(tail -c 500 shown)"
$COTTER -q run icount -- $python -S -E busy.py 2> err > out
same "no terminal" 1 "$(wc -l < err | tr -d ' ')"
