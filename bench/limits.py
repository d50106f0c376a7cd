"""limits.py: how the cost grows with the length of traces and with a limit on the code cache, as Figures 5 and 6 of the paper on
Pin for ARM, and a limit on the cache beside them.

For each program and setting: CPU time relative to the engine's default, cache bytes relative to it, cache bytes for each byte
of application code that they cover, instructions translated relative to the default. One run each: read differences below a
tenth as none. Text and CSV in build/bench/limits.*. Arguments: names of programs (patterns), as with --only."""
import csv
import fnmatch
import os
import sys

import bench
import split
import suite

DEFAULT = ["cc1", "hello-cc1", "perl", "py-import"]
SETTINGS = [("default", ""), ("1 block", "--max-trace-bbl=1"), ("2 blocks", "--max-trace-bbl=2"), ("4 blocks", "--max-trace-bbl=4"), ("8 blocks", "--max-trace-bbl=8"),
            ("no limit", "--max-trace-bbl=64 --max-trace-ins=512"), ("8 instructions", "--max-trace-ins=8"),
            ("16 instructions", "--max-trace-ins=16"), ("cache 8 MB", "--cache-limit=8388608"),
            ("cache 2 MB", "--cache-limit=2097152"), ("cache 1 MB", "--cache-limit=1048576")]
COLUMNS = f"{'':16}{'time':>7}{'cache':>8}{'B/B':>7}{'insns':>7}{'traces':>9}{'flushes':>9}"


def run(program, row, options):
    pattern = os.path.join(bench.WORK, "stats.%p.json")
    cotter = os.path.join(suite.ROOT, "build/bin/cotter")
    plain = bench.run_once(program, suite.mode(row, cotter, options), "0", 300)
    bench.run_once(program, suite.mode(row, cotter, f"{options} --stats=json --stats-file={pattern}"), "0", 300)
    return plain.cpu, split.collect(pattern.replace("%p", "*"))


def measure(program, row, out):
    base = None
    print(f"\n{program.name}\n{COLUMNS}", flush=True)
    for name, options in SETTINGS:
        cpu, stats = run(program, row, options)
        if not stats:
            print(f"{name:16} no statistics", flush=True)
            continue
        size = stats["cache_body"] + stats["cache_stubs"]
        base = base or (cpu, size, stats["insns"])
        line = [cpu / base[0], size / base[1], size / max(1, stats["cache_app"]), stats["insns"] / base[2],
                stats["traces"], stats["flushes"]]
        print(f"{name:16}{line[0]:7.2f}{line[1]:8.2f}{line[2]:7.2f}{line[3]:7.2f}{line[4]:9}{line[5]:9}", flush=True)
        out.writerow([program.name, name, cpu, size, *line[2:]])


def main():
    wanted = sys.argv[1:] or DEFAULT
    suite.compile_all()
    row = next(row for row in suite.modes() if row[0] == "cotter")
    with open(os.path.join(suite.BUILD, "limits.csv"), "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["program", "setting", "cpu_s", "cache_bytes", "bytes_per_byte", "insns", "traces", "flushes"])
        for program in filter(None, map(suite.prepare, suite.programs())):
            if any(fnmatch.fnmatch(program.name, w) for w in wanted):
                measure(program, row, out)
    return 0


sys.exit(main())
