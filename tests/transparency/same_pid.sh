# The program has the pid that the shell knows of; it is not traced, and no other process stays beside it.
mkfifo fifo
$COTTER -q -- /bin/sh -c 'read line < fifo; exit 3' &
pid=$!
for i in $(seq 200); do [ "$(cat /proc/$pid/comm)" = sh ] && break; sleep 0.02; done
[ "$(cat /proc/$pid/comm)" = sh ] || { echo "comm of $pid is $(cat /proc/$pid/comm)"; exit 1; }
grep -q '^TracerPid:	0$' /proc/$pid/status || { echo "still traced"; exit 1; }
others=$(ps -o pid=,comm= --ppid $pid)
[ -z "$others" ] || { echo "children: $others"; exit 1; }
echo go > fifo
wait $pid
[ $? -eq 3 ] || { echo "wrong status"; exit 1; }
