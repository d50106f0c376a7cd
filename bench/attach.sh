#!/bin/bash
# What an attach costs: how long a process with 200 threads stands still at attach and detach, and how fast a program runs
# before, under Cotter, and after. usage: bench/attach.sh [ROUNDS]
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
cotter=$root/build/bin/cotter
rounds=${1:-5}
scratch=$(mktemp -d)
trap 'kill $pid 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch"
gcc -O2 -pthread -o speed "$root/bench/attach_speed.c"

start() {
    rm -f in out
    mkfifo in
    ./speed "$@" <in >out & pid=$!
    exec 7>in
    : >times
}
end() { exec 7>&-; wait $pid; }
measure() {     # the best of three
    for _ in 1 2 3; do
        local n=$(wc -l <out)
        echo >&7
        until [ "$(wc -l <out)" -gt "$n" ]; do sleep 0.01; done
        tail -1 out
    done | sort -n | head -1
}
us() { sed -n 's/.*: \([0-9]*\) threads stood still for \([0-9]*\) us.*/\2/p' "$1" | sort -n | awk '{ v[NR] = $1 } END { printf "median %.1f ms, longest %.1f ms\n", v[int((NR + 1) / 2)] / 1000, v[NR] / 1000 }'; }

start 199
sleep 0.5
for _ in $(seq "$rounds"); do
    "$cotter" -v -pid $pid 2>>attaches
    sleep 0.2
    "$cotter" detach -v $pid 2>>detaches
    sleep 0.1
done
end
echo "200 threads, $rounds times: attach: $(us attaches)"
echo "200 threads, $rounds times: detach: $(us detaches)"

start
native=$(measure)
"$cotter" -pid $pid
under=$(measure)
"$cotter" detach $pid
after=$(measure)
"$cotter" -pid $pid -t "$root/build/lib/cotter/tools/icount"
tool=$(measure)
"$cotter" detach $pid
again=$(measure)
end
awk -v n="$native" -v u="$under" -v a="$after" -v t="$tool" -v g="$again" 'BEGIN {
    printf "CPU time of the same work, native = 1: attached %.2f, detached %.2f, with icount %.2f, detached again %.2f\n", u/n, a/n, t/n, g/n }'
