"""figures.py: the paper's Figures 5, 6 and 7 for the machine at hand, as SVG and CSV in build/bench/figures.

Figure 5: the engine without a tool. Figure 6: a counter for every basic block, one optimisation after the other.
Figure 7: the engine and its peers, without a tool (a) and counting basic blocks (b). Peers that are not installed are left
out. All arguments go to bench.py: --quick, --only, --runs ..."""
import os
import shutil
import subprocess
import sys

import suite

FIGURES = [
    ("figure5", ["native", "cotter"], ["--class", "int,fp"]),
    ("figure6", ["native", "blocks-none", "blocks-inline", "blocks-flags", "blocks-reg", "blocks-sched", "blocks"], ["--class", "int,fp"]),
    ("figure7a", ["native", "valgrind", "dynamorio", "cotter"], ["--class", "int"]),
    ("figure7b", ["native", "lackey", "dr-count", "bbcount"], ["--class", "int"]),
]


def present(names):
    rows = {row[0].rstrip("*"): row for row in suite.modes()}
    cotter = os.path.join(suite.ROOT, "build/bin/cotter")
    return [n for n in names if n in rows and suite.mode(rows[n], cotter, "")]


def main():
    out, failed = os.path.join(suite.BUILD, "figures"), 0
    os.makedirs(out, exist_ok=True)
    for name, modes, more in FIGURES:
        print(f"{name}: {', '.join(present(modes))}", flush=True)
        command = [sys.executable, os.path.join(suite.HERE, "bench.py"), "--modes", ",".join(present(modes)), *more, "--csv",
                   os.path.join(out, name + ".csv"), *sys.argv[1:]]
        chart = os.path.join(suite.BUILD, "results.svg")
        if os.path.exists(chart):
            os.unlink(chart)
        failed |= subprocess.run(command).returncode
        if not os.path.exists(chart):
            return 1                    # bench.py has said why
        shutil.move(chart, os.path.join(out, name + ".svg"))
    return failed


if __name__ == "__main__":
    sys.exit(main())
