"""schemes.py: the schemes for indirect jumps, calls and returns beside each other (docs/returns-and-branches.md).

For each program and scheme the CPU time as a multiple of the native one, the best of --runs N runs (2) in which native and all
schemes take turns. Times go to build/bench/schemes.csv, line by line; a program that is measured again replaces its lines.
The table is made of the whole file, so that programs can be measured one by one. Arguments: names of programs (patterns)."""
import argparse
import csv
import fnmatch
import math
import os
import sys

import bench
import suite

DEFAULT = ["perl", "python", "lua", "sqlite", "gap", "link-parser", "jq", "cc1"]
SCHEMES = [("auto", ""), ("table", "--indirect=table --returns=table"), ("hash", "--indirect=hash"),
           ("local", "--indirect=local --returns=local"), ("guard", "--indirect=guard --returns=guard"),
           ("chain", "--indirect=chain --returns=chain"), ("shadow", "--indirect=shadow --returns=table"),
           ("site", "--returns=site"), ("precall", "--returns=precall"), ("clone", "--indirect=chain --returns=clone"),
           ("strict", "--strict")]
FILE = os.path.join(suite.BUILD, "schemes.csv")


def load():
    if not os.path.exists(FILE):
        return {}
    with open(FILE, newline="") as file:
        return {(program, scheme): float(cpu) for program, scheme, cpu in csv.reader(file)}


def store(times):
    with open(FILE, "w", newline="") as file:
        csv.writer(file).writerows([program, scheme, cpu] for (program, scheme), cpu in times.items())


def measure(program, rows, runs):
    cotter = os.path.join(suite.ROOT, "build/bin/cotter")
    ways = [("native", suite.mode(rows["native"], cotter, ""))]
    ways += [(name, suite.mode(rows["cotter"], cotter, options)) for name, options in SCHEMES]
    best = {}
    for _ in range(runs):
        for name, mode in ways:
            cpu = bench.run_once(program, mode, "0", 300).cpu
            best[program.name, name] = min(cpu, best.get((program.name, name), cpu))
    return best


def table(times):
    programs = list(dict.fromkeys(program for program, _ in times))
    names = [name for name, _ in SCHEMES]
    print("| program | native, s | " + " | ".join(names) + " |\n|---|" + "---:|" * (len(names) + 1))
    ratios = {name: [] for name in names}
    for program in programs:
        native = times[program, "native"]
        cells = []
        for name in names:
            ratios[name].append(times[program, name] / native)
            cells.append(f"{ratios[name][-1]:.2f}")
        print(f"| {program} | {native:.2f} | " + " | ".join(cells) + " |")
    means = (math.exp(sum(map(math.log, ratios[name])) / len(ratios[name])) for name in names)
    print("| geometric mean | | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("programs", nargs="*", default=DEFAULT)
    args = parser.parse_args()
    suite.compile_all()
    rows = {row[0]: row for row in suite.modes()}
    times = load()
    wanted = [p for p in suite.programs() if any(fnmatch.fnmatch(p.name, name) for name in args.programs)]
    for program in filter(None, map(suite.prepare, wanted)):
        times.update(measure(program, rows, args.runs))
        store(times)
    table(times)
    return 0


sys.exit(main())
