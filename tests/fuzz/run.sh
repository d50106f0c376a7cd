#!/bin/sh
# run.sh: random instructions natively and under Cotter, compared; `tests/fuzz/run.sh --help`. See drive.py.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" && make -s -f tests/fuzz/build.mk && exec /usr/bin/python3 -B tests/fuzz/drive.py "$@"
