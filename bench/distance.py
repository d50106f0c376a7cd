"""distance.py: how far block counters are from what the hardware allows, program by program.

A private counter for each block, written by hand, costs about a quarter of a cycle, and whole programs 1.01 to 1.17 times as long. For
each program: instructions in a block; CPU time under bbcount (one global) and under blocks (a counter for each) over that of the engine
without a tool; and what a block costs more, in nanoseconds. The least of two runs. Text and CSV in build/bench/distance.*. Arguments:
names of programs (patterns); without, all of the classes int and fp."""
import csv
import fnmatch
import os
import re
import sys

import bench
import suite

COLUMNS = f"{'':14}{'insns/block':>12}{'engine':>9}{'bbcount':>9}{'ns/block':>10}{'blocks':>9}{'ns/block':>10}"
RUNS = 2


def modes():
    cotter = os.path.join(suite.ROOT, "build/bin/cotter")
    rows = {row[0].rstrip("*"): row for row in suite.modes()}
    return {name: suite.mode(rows[name], cotter, "") for name in ("cotter", "bbcount", "blocks")}


def counted(program, mode):
    """Instructions and blocks, as the tool said; of a program with children, of all of them. None: its stderr is its output, too."""
    path = os.path.join(bench.WORK, f"{program.name}.{mode.name}.err")
    if not os.path.exists(path):
        return None
    with open(path, errors="replace") as err:
        pairs = re.findall(r"^(\d+) instructions in (\d+) blocks$", err.read(), re.M)
    return [sum(map(int, column)) for column in zip(*pairs)] if pairs else None


def measure(program, out):
    cpu = {name: [] for name in MODES}
    for _ in range(RUNS):
        for name, mode in MODES.items():
            cpu[name].append(bench.run_once(program, mode, "0", 300).cpu)
    least = {name: min(times) for name, times in cpu.items()}
    shape = counted(program, MODES["blocks"])
    if not shape:
        print(f"{program.name:14} no counts", flush=True)
        return
    insns, blocks = shape
    line = [insns / blocks, least["cotter"]]
    for name in ("bbcount", "blocks"):
        line += [least[name] / least["cotter"], (least[name] - least["cotter"]) / blocks * 1e9]
    print(f"{program.name:14}{line[0]:12.1f}{line[1]:7.2f} s{line[2]:9.2f}{line[3]:10.2f}{line[4]:9.2f}{line[5]:10.2f}", flush=True)
    out.writerow([program.name, insns, blocks, *line[1:]])


def main():
    wanted = sys.argv[1:]
    suite.compile_all()
    suite.compile_tools(os.path.join(suite.ROOT, "build/bin/cotter"))
    print(COLUMNS, flush=True)
    with open(os.path.join(suite.BUILD, "distance.csv"), "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["program", "instructions", "blocks", "engine_s", "bbcount", "bbcount_ns", "blocks", "blocks_ns"])
        for program in filter(None, map(suite.prepare, suite.programs())):
            if any(fnmatch.fnmatch(program.name, w) for w in wanted) if wanted else program.cls in ("int", "fp"):
                measure(program, out)
    return 0


MODES = modes()
sys.exit(main())
