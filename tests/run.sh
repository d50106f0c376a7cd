#!/bin/sh
# run.sh: build and run the tests; `tests/run.sh --help` tells the options. The work is done by lib/runner.py.
root=$(cd "$(dirname "$0")/.." && pwd)
python=/usr/bin/python3
[ -x "$python" ] || python=python3
exec "$python" -B "$root/tests/lib/runner.py" "$@"
