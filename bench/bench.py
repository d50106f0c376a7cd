"""bench.py: run the programs of programs.txt in the modes of modes.txt and compare their CPU time with native.

CPU time is user + system time, children included; the least of several runs that alternate between the modes counts.
Every run's output and exit status are compared with the first native run's; a difference in a mode of Cotter fails
the bench."""
import argparse
import collections
import fnmatch
import hashlib
import os
import re
import subprocess
import sys
import time

import report
import split
import suite

Sample = collections.namedtuple("Sample", "cls good status user sys wall rss cpu digest")
WORK = os.path.join(suite.BUILD, "work")
TIMED_OUT = 2000


def arguments():
    p = argparse.ArgumentParser(prog="bench/run.sh", description=__doc__.split("\n\n")[0])
    p.add_argument("--quick", action="store_true", help="the programs marked q, one run each (short ones: three)")
    p.add_argument("--modes", help="comma list of names from modes.txt; `all`; default: those without a star")
    p.add_argument("--only", metavar="PATTERN", help="programs whose name matches (comma list, * and ? allowed)")
    p.add_argument("--class", dest="cls", metavar="LIST", help=f"comma list of {','.join(suite.CLASSES)}")
    p.add_argument("--runs", type=int, help="runs of each program in each mode; default 3 (quick 1)")
    p.add_argument("--cotter", default=os.path.join(suite.ROOT, "build/bin/cotter"), help="the build under test")
    p.add_argument("--cotter-opts", default="", metavar="OPTS", help="options for every Cotter mode")
    p.add_argument("--variant", action="append", default=[], metavar="NAME=OPTS", help="one more Cotter mode with these options")
    p.add_argument("--build", action="append", default=[], metavar="NAME=FILE", help="one more Cotter mode with this launcher")
    p.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="the core to use")
    p.add_argument("--csv", metavar="FILE", default=os.path.join(suite.BUILD, "results.csv"), help="raw times")
    p.add_argument("--split", action="store_true", help="one run under Cotter with statistics: where its time goes")
    p.add_argument("--list", action="store_true", help="name programs and modes")
    return p.parse_args()


def choose_programs(a):
    chosen = suite.programs()
    if a.quick and not a.only:
        chosen = [p for p in chosen if "q" in p.flags]
    if a.cls:
        chosen = [p for p in chosen if p.cls in a.cls.split(",")]
    if a.only:
        chosen = [p for p in chosen if any(fnmatch.fnmatch(p.name, pattern) for pattern in a.only.split(","))]
    return chosen


def choose_modes(a):
    rows = suite.modes()
    found = [(row, suite.mode(row, a.cotter, a.cotter_opts)) for row in rows]
    cotter = next(row for row in rows if row[0] == "cotter")
    if a.quick and not a.modes:
        a.modes = "native,cotter"       # peers would take more than the quick bench's three minutes
    if a.modes and a.modes != "all":
        wanted = a.modes.split(",")
        for name in wanted:
            if not any(m and m.name == name for _, m in found):
                sys.exit(f"bench: mode {name} is unknown or what it needs is missing (see bench/modes.txt)")
        chosen = [m for _, m in found if m and m.name in wanted]
    else:
        chosen = [m for _, m in found if m and (m.default or a.modes == "all")]
    for spec in a.variant:
        name, _, opts = spec.partition("=")
        chosen.append(suite.mode((name, *cotter[1:]), a.cotter, f"{a.cotter_opts} {opts}"))
    for spec in a.build:
        name, _, path = spec.partition("=")
        chosen.append(suite.mode((name, *cotter[1:]), os.path.abspath(path), a.cotter_opts))
    return chosen


def digest(path, keep):
    with open(path, "rb") as out:
        data = out.read()
    if keep:
        data = b"\n".join(line for line in data.split(b"\n") if keep.search(line))
    return hashlib.sha256(data).hexdigest()[:16]


def run_once(program, mode, cpu, timeout):
    """One run: a Sample whose `good` is not yet judged."""
    stdout, stderr = os.path.join(WORK, f"{program.name}.{mode.name}.out"), os.path.join(WORK, f"{program.name}.{mode.name}.err")
    if os.path.exists(stderr):
        os.unlink(stderr)
    cpus = ",".join(map(str, sorted(os.sched_getaffinity(0)))) if "2" in program.flags else str(cpu)
    env = {"PATH": suite.PATH, "HOME": WORK, "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0",
           "PYTHONDONTWRITEBYTECODE": "1", "GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0"}
    command = [os.path.join(suite.BUILD, "measure"), cpus, str(timeout), program.stdin, stdout, stdout if "e" in program.flags else stderr]
    done = subprocess.run(command + mode.prefix + program.argv, cwd=WORK, env=env, capture_output=True, text=True, check=True)
    status, user, system, wall, rss = map(int, done.stdout.split())
    sample = Sample(program.cls, False, status, user, system, wall, rss, (user + system) / 1e6, digest(stdout, program.keep))
    os.unlink(stdout)
    return sample


def explain(program, mode, sample, expected):
    path = os.path.join(WORK, f"{program.name}.{mode.name}.err")
    last = ""
    if os.path.exists(path):
        with open(path, errors="replace") as err:
            last = "".join(err.readlines()[-1:]).strip()[:200]
    what = "timed out" if sample.status == TIMED_OUT else f"status {sample.status} instead of {expected.status}" \
        if sample.status != expected.status else "output differs"
    return f"{program.name}, {mode.name}: {what}" + (f" ({last})" if last else "")


def repetitions(a, program, mode):
    runs = a.runs or (1 if a.quick else 3)
    if mode.runs:
        runs = min(runs, mode.runs)
    return runs * 3 if program.cls == "short" and not a.runs else runs


def measure(a, program, modes, results, complaints):
    """All runs of one program, modes in turn. Native comes first even when not asked for: it is the expectation."""
    native = next((m for m in modes if m.name == "native"), None)
    expected = run_once(program, native or suite.Mode("native", True, None, True, []), a.cpu, 120)
    timeout, broken = int(20 + expected.cpu * 40), set()
    if native:
        results[program.name, "native"].append(expected._replace(good=True))
    for i in range(max(repetitions(a, program, m) for m in modes)):
        for mode in modes:
            if mode.name in broken or i >= repetitions(a, program, mode) or (mode is native and i == 0) \
                    or ("f" in program.flags and not mode.follows):
                continue
            sample = run_once(program, mode, a.cpu, timeout)
            sample = sample._replace(good=(sample.status, sample.digest) == (expected.status, expected.digest))
            results[program.name, mode.name].append(sample)
            if not sample.good:
                complaints.append((mode, explain(program, mode, sample, expected)))
                broken.add(mode.name)


def show_split(a, programs):
    row = next(row for row in suite.modes() if row[0] == "cotter")
    pattern = os.path.join(WORK, "stats.%p.json")
    mode = suite.mode(row, a.cotter, f"{a.cotter_opts} --stats=json --stats-file={pattern}")
    print(split.COLUMNS)
    for program in filter(None, map(suite.prepare, programs)):
        sample = run_once(program, mode, a.cpu, 300)
        stats = split.collect(pattern.replace("%p", "*"))
        print(split.row(program.name, stats, sample.cpu) if stats else f"{program.name}: no statistics", flush=True)


def main():
    a = arguments()
    programs, modes = choose_programs(a), choose_modes(a)
    if a.list:
        for p in programs:
            print(f"{p.cls:8} {p.name:14} {p.flags:4} {' '.join(p.argv)}")
        print("modes:", ", ".join(m.name for m in modes))
        return 0
    suite.compile_all()
    if any(suite.BUILD in word for m in modes for word in m.prefix):
        suite.compile_tools(a.cotter)
    if a.split:
        show_split(a, programs)
        return 0
    results, complaints, done, start = collections.defaultdict(list), [], [], time.time()
    for program in programs:
        ready = suite.prepare(program)
        if not ready:
            complaints.append((None, f"{program.name}: {program.argv[0]} is not installed"))
            continue
        done.append(ready)
        seen = len(complaints)
        measure(a, ready, modes, results, complaints)
        row = " ".join(f"{m.name} {report.cell(r, 0)}" for m, r in zip(modes, report.ratios(results, ready, modes)) if m.name != "native")
        print(f"  BENCH   {program.name:14}{report.native_time(results, ready)}  {row}", file=sys.stderr)
        for _, text in complaints[seen:]:
            print(f"  FAIL    {text}", file=sys.stderr)
    print(report.write_all(suite.BUILD, a.csv, results, done, modes))
    print(f"CPU time as a multiple of native, least of the runs; memory: {next((m.name for m in modes if m.name != 'native'), '')}"
          f" over native; ~ runs differ by a quarter or more; * some programs missing. {time.time() - start:.0f} s. Raw times: {os.path.relpath(a.csv)}; chart: build/bench/results.svg")
    for _, text in complaints:
        print(f"FAIL {text}")
    ours = [t for m, t in complaints if m and re.search("cotter", " ".join(m.prefix[:1]) or "native")]
    return 1 if ours else 0


if __name__ == "__main__":
    sys.exit(main())
