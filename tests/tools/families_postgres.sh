# -f with a database: the server, its helpers and a process for each client are forked, some while others run. Each has one report, the
# ones that the database itself names among them, no transaction is lost, and the database is shut down in order.
# test-needs: cmd:postgres cmd:initdb cmd:pgbench cmd:psql
# test-timeout: 400
. "$ROOT/tests/tools/src/attach_lib.sh"
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else "$@"; fi; }
data=$(mktemp -d /tmp/pg.XXXXXX)            # the database's user must be able to get there
[ "$(id -u)" = 0 ] && chown postgres "$data"
(cd / && as initdb -D "$data/db" -A trust -N >/dev/null 2>&1) || die "initdb failed"
cd "$data" || die "no folder"
trap 'kill -QUIT $(head -1 "$data/db/postmaster.pid" 2>/dev/null) 2>/dev/null; wait; rm -rf "$data"' EXIT
ask() { as psql -h "$data" -Atc "$1" postgres 2>/dev/null; }
cat >read.py <<'P'
import json, os, sys
folder, wanted = sys.argv[1], set(map(int, open("pids")))
reports = [json.load(open(folder + "/" + f)) for f in os.listdir(folder)]
pids = [r["pid"] for r in reports]
assert len(set(pids)) == len(pids), "two reports of one process"
assert wanted <= set(pids), ("no report", wanted - set(pids))
assert {os.path.basename(r["program"]) for r in reports} == {"postgres"}
assert all(r["instructions"] > 1000 for r in reports), [r["instructions"] for r in reports]
P
for t in icount opcodemix; do
    as mkdir "$data/$t"
    as $COTTER -q -f run $t -json -o "$data/$t/r" -- postgres -D "$data/db" -c unix_socket_directories="$data" -c listen_addresses= -c fsync=off >log 2>&1 & run=$!
    wait_for ask "select 1" >/dev/null
    as pgbench -h "$data" -i -q postgres >/dev/null 2>&1 || die "$t: pgbench -i failed"
    as pgbench -h "$data" -n -c 3 -t 20 postgres >bench 2>&1 || die "$t: pgbench failed: $(cat bench)"
    { ask "select pg_backend_pid()"; ask "select pid from pg_stat_activity"; head -1 db/postmaster.pid; } >pids
    [ "$(wc -l <pids)" -ge 5 ] || die "$t: processes: $(cat pids)"
    same "$t: transactions" "60 t" "$(ask "select count(*) from pgbench_history") $(ask 'select (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history)')"
    kill -INT "$(head -1 db/postmaster.pid)"
    wait $run || die "$t: the server's status $?: $(tail -5 log)"
    grep -q "database system is shut down" log || die "$t: $(tail -5 log)"
    /usr/bin/python3 read.py $t || die "$t: $(ls $t) $(cat pids)"
done
