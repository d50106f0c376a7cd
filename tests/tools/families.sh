# -f with real families of processes: make -j4 and nginx. Each program image has one report, none is lost or mixed up, and a death
# by SIGKILL loses that of the dead process only.
# test-needs: cmd:make cmd:nginx
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
cat > Makefile <<'M'
all: a b c d e f
a b c d e f:
	@seq 1 2000 | sort -r > $@; wc -l < $@ > $@.n
killed:
	@seq 1 2000 > $@; sh -c 'kill -9 $$$$' || true; wc -l < $@ > $@.n
M
cat > read.py <<'P'
import collections, json, os, sys
folder, wanted = sys.argv[1], sys.argv[2].split()
reports = [json.load(open(folder + "/" + f)) for f in os.listdir(folder)]
pids = [r["pid"] for r in reports]
seen = collections.Counter(os.path.basename(r["program"]) for r in reports)
want = collections.Counter()
for w in wanted:
    name, n = w.split("=")
    want[name] = int(n)
assert seen == want, (seen, want)
print(sum(r.get("instructions", r.get("blocks", 0)) for r in reports))
P
shell=$(basename "$(readlink -f /bin/sh)")
many="make=1 $shell=18 seq=6 sort=6 wc=6"          # the shell; the two sides of the pipe are forked by it and executed
for t in icount opcodemix coverage callgraph; do
    rm -rf out [a-f] *.n && mkdir out
    $COTTER -q -f run $t -json -o out/r -- make -j4 > log 2>&1 || die "$t: make failed: $(cat log)"
    same "$t: files" "$(yes 2000 | head -6)" "$(cat *.n)"
    python3 read.py out "$many" > sum.$t || die "$t: $(ls out)"
done
# The same work: sums differ by what waiting for children takes.
python3 -c 'a, b, c = (int(open("sum." + t).read()) for t in ("icount", "opcodemix", "callgraph")); assert max(a, b, c) < min(a, b, c) * 1.05, (a, b, c)' ||
    die "instructions of the family: $(head sum.*)"
rm -rf out && mkdir out
$COTTER -q -f run icount -json -o out/r -- make killed > log 2>&1 || die "make killed: $(cat log)"
python3 read.py out "make=1 $shell=1 seq=1 wc=1" >/dev/null || die "killed: $(ls out)"

head -c 100000 "$COTTER" > file
cat > conf <<END
daemon off; worker_processes 2; pid $PWD/pid; error_log $PWD/errors;
events { worker_connections 64; }
http { access_log off; client_body_temp_path $PWD/t1; proxy_temp_path $PWD/t2; fastcgi_temp_path $PWD/t3;
       uwsgi_temp_path $PWD/t4; scgi_temp_path $PWD/t5;
       server { listen unix:$PWD/sock; root $PWD; } }
END
[ "$(id -u)" = 0 ] && sed -i "1i user root;" conf
cat > get.py <<'P'
import hashlib, socket, sys
for i in range(20):
    s = socket.socket(socket.AF_UNIX)
    s.connect("sock")
    s.sendall(b"GET /file HTTP/1.0\r\n\r\n")
    data = b""
    while piece := s.recv(65536):
        data += piece
    assert data.split(b"\r\n\r\n", 1)[1] == open("file", "rb").read(), data[:200]
P
until_true() { for i in $(seq 1 600); do "$@" && return; sleep 0.05; done; die "not in time: $*"; }
workers() { [ "$(cat /proc/$(cat pid)/task/*/children 2>/dev/null | wc -w)" = 2 ]; }
for t in icount opcodemix coverage callgraph; do
    rm -rf out sock pid && mkdir out
    $COTTER -q -f run $t -json -o out/r -- nginx -c "$PWD/conf" > log 2>&1 & run=$!
    until_true test -S sock
    until_true test -s pid
    until_true workers
    /usr/bin/python3 get.py || die "$t: nginx does not answer"
    if [ $t = icount ]; then
        kill -9 $(cut -d' ' -f1 < <(cat /proc/$(cat pid)/task/*/children))
        until_true workers
        /usr/bin/python3 get.py || die "$t: nginx does not answer after the death of a worker"
    fi
    kill -QUIT $(cat pid)
    wait $run || die "$t: nginx: status $?: $(cat log errors)"
    python3 read.py out "nginx=3" > /dev/null || die "$t: nginx: $(ls out)"     # the killed worker has none, its successor does
done
