#!/bin/bash
# probe.sh: what a probe costs: time-stamp ticks per call of a short routine. The best of five runs of each kind.
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
gcc -O2 -g -o "$dir/cost" "$root/bench/probe_cost.c" &&
"$root/build/bin/cotter" build "$root/bench/probe_tool.c" -o "$dir/tool" || exit 1
best() { for _ in 1 2 3 4 5; do "$@"; done | sort -n | head -1; }
printf '%-12s %8s\n' native "$(best "$dir/cost")"
for what in none replace original signature before arguments context instruction after; do
    printf '%-12s %8s\n' $what "$(best "$root/build/bin/cotter" -t "$dir/tool" -what $what -- "$dir/cost")"
done
