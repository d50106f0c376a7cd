#!/bin/sh
# run.sh [--quick] [OPTIONS]: install what the bench runs, then run it. bench.py --help lists the options.
set -eu
cd "$(dirname "$0")/.."
mk/setup.sh mk/packages-bench.txt
exec python3 bench/bench.py "$@"
