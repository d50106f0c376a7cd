#!/bin/sh
# run.sh [--figures | --limits | --schemes | --distance] [--quick] [OPTIONS]: install what the bench runs, then run it. bench.py --help lists the options;
# --figures, which comes first, draws the paper's figures instead; --limits shows what limits on traces and cache cost, --schemes
# what the schemes for indirect branches do, --distance how far counters are from what the hardware allows.
set -eu
cd "$(dirname "$0")/.."
mk/setup.sh mk/packages-bench.txt
[ "${1-}" = --figures ] && { shift; exec python3 bench/figures.py "$@"; }
[ "${1-}" = --limits ] && { shift; exec python3 bench/limits.py "$@"; }
[ "${1-}" = --schemes ] && { shift; exec python3 bench/schemes.py "$@"; }
[ "${1-}" = --distance ] && { shift; exec python3 bench/distance.py "$@"; }
exec python3 bench/bench.py "$@"
