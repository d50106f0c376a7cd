"""split.py: where Cotter's time goes, per program, as the engine itself counts it (--stats).

Wall-clock ticks of the run, so the shares are only as good as the machine is idle. Processes of one program are added."""
import glob
import json
import os

COLUMNS = "program        cache  decode   emit     VM  calls |  traces    ins/tr  tick/ins  times | indirect/s  B/B"


def collect(pattern):
    total = None
    for path in glob.glob(pattern):
        with open(path) as file:
            one = json.load(file)
        os.unlink(path)
        if total is None:
            total = one
            continue
        for key, value in one.items():
            if key == "ticks":
                for phase in value:
                    total["ticks"][phase] += value[phase]
            else:
                total[key] += value
    return total


def row(name, stats, cpu):
    """Shares of time; traces, their length, what a different instruction cost to translate, and how many times it was; dispatcher
    entries by an indirect branch per CPU second; cache bytes per application byte."""
    t = stats["ticks"]
    whole = sum(t.values()) or 1
    insns, distinct = max(1, stats["insns"]), max(1, stats["cache_distinct"])
    share = "".join(f"{100 * t[k] / whole:6.1f}%" for k in ("cache", "decode", "emit", "vm", "syscall"))
    size = (stats["cache_body"] + stats["cache_stubs"]) / max(1, stats["cache_app"])
    return (f"{name:13}{share} | {stats['traces']:7} {insns / max(1, stats['traces']):9.1f} {(t['decode'] + t['emit']) / distinct:9.0f} {insns / distinct:6.2f} |"
            f" {stats['indirect_misses'] / cpu:10.0f} {size:4.1f}")
