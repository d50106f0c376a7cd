# The experiment of the paper: a database runs natively; opcodemix is attached to one of its backends while it performs
# transactions, and detached. The other backends are not touched, and no transaction is lost.
# test-needs: cmd:postgres cmd:initdb cmd:pgbench cmd:psql
# test-timeout: 300
. "$ROOT/tests/tools/src/attach_lib.sh"
seconds=$((SOAK_MINUTES > 0 ? 120 : 12))
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else "$@"; fi; }
data=$(mktemp -d /tmp/pg.XXXXXX)            # the database's user must be able to get there
[ "$(id -u)" = 0 ] && chown postgres "$data"
(cd / && as initdb -D "$data/db" -A trust -N >/dev/null 2>&1) || die "initdb failed"
cd "$data" || die "no folder"
as postgres -D "$data/db" -c unix_socket_directories="$data" -c listen_addresses= -c fsync=off >log 2>&1 &
trap 'kill -INT $(head -1 "$data/db/postmaster.pid"); wait; rm -rf "$data"' EXIT
ask() { as psql -h "$data" -Atc "$1" postgres 2>/dev/null; }
wait_for ask "select 1" >/dev/null
as pgbench -h "$data" -i -q postgres >/dev/null 2>&1 || die "pgbench -i failed"
as pgbench -h "$data" -n -c 4 -T $seconds postgres >bench 2>&1 & bench=$!
backends() { ask "select pid from pg_stat_activity where application_name = 'pgbench' order by pid"; }
all_there() { [ "$(backends | wc -l)" = 4 ]; }
wait_for all_there
one=$(backends | head -1)
others=$(backends | tail -3)
$COTTER run opcodemix -by routine -p $one --for=$((seconds / 6))s -o "$data/mix" & c=$!
sleep 1
for p in $others; do grep -q '^550' /proc/$p/maps && die "another backend was touched"; done
wait $c || die "cotter failed"
grep -q '^550' /proc/$one/maps && die "memory stays"
grep -q 'palloc\|AllocSetAlloc\|exec_simple_query\|PostgresMain\|ExecModifyTable' mix || die "no mix by routine: $(head -20 mix)"
$COTTER run proccount -p $one --for=1s -o "$data/calls" || die "cotter failed the second time"
wait $bench || die "pgbench failed: $(cat bench)"
grep -q 'failed transactions: 0 ' bench || die "transactions failed: $(cat bench)"
done=$(sed -n 's/.*actually processed: \([0-9]*\).*/\1/p' bench)
same "transactions in the database" "$done" "$(ask 'select count(*) from pgbench_history')"
same "sums" t "$(ask 'select (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history)')"
head -1 mix | grep -q 'opcodemix: [0-9,]* instructions' || die "no mix: $(head -3 mix)"
grep -q 'exec_simple_query\|palloc' calls || die "no report by routine: $(head -5 calls)"
exit 0
