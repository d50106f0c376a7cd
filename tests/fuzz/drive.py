"""drive.py: generate cases, run them natively and under Cotter in several modes, compare, narrow down differences."""
import argparse
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/lib"))
import find

OUT = os.path.join(ROOT, "build/tests/fuzz")
FUZZ = os.path.join(OUT, "fuzz")
COTTER = os.environ.get("COTTER", os.path.join(ROOT, "build/bin/cotter"))
MODES = find.read_modes()
TOOL = []                                                   # -t, a tool and its options
MAX_ENDS = 200                                              # so often a run may break off before a mode is given up


def cotter(mode, seed):
    return COTTER.split() + ["-q"] + [x.replace("SEED", str(seed % 1000003 + 1)) for x in MODES[mode]] + TOOL + ["--"]


def fuzz(prefix, *args, timeout=600):
    """Output lines, how it ended, stderr."""
    try:
        done = subprocess.run(prefix + [FUZZ] + [str(x) for x in args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, timeout=timeout)
        lines, end, err = done.stdout, done.returncode, done.stderr
    except subprocess.TimeoutExpired as e:
        lines, end, err = e.stdout or b"", "timed out", b""
    return lines.decode("latin-1").split("\n"), end, err.decode("latin-1").strip()


def comparable(line, mode):
    """What a mode promises: the stack below the red zone is only strict mode's, and after a call the red zone too."""
    if mode == "strict":
        return line
    words = line.split(" below ")[0].split()
    pairs = [words[i:i + 2] for i in range(1, len(words) - 1, 2)]
    return " ".join(words[:1] + [x for pair in pairs if not pair[0].endswith("*") for x in pair])


def what_differs(a, b):
    """The names of the words that differ between two digest lines."""
    x, y = a.split(), b.split()
    if len(x) != len(y):
        return "output"
    return " ".join(x[i - 1] for i in range(2, len(x), 2) if x[i] != y[i])


def fields_of(line):
    return dict(zip(line.split()[1::2], line.split()[2::2]))


def hits_tables(native):
    """By chance, in low memory: under Cotter it does not fault."""
    f = fields_of(native)
    return f.get("sig") == "11.1" and 0x7f000000 <= int(f["addr"], 16) < 0x7fe00000


def writes_tables(native):
    """So what comes later may go anywhere."""
    return hits_tables(native) and int(fields_of(native)["trap"].split(".")[1], 16) & 2


def is_known_gap(native, here):
    """A call to a non-canonical address: the word below the stack pointer is changed. An access to the tables. Both in
    docs/transparency.md."""
    fields = fields_of(native), fields_of(here)
    if hits_tables(native):
        return True
    if any(f.get("sig") != "11.128" or f.get("trap") != "13.0" for f in fields):
        return False
    return {k.rstrip("*") for k in fields[0] if fields[0][k] != fields[1].get(k)} <= {"red", "below"}


def recurs(path, number, mode, seed, native):
    """Does the difference come again? Some CPUs keep the x87 pointers out of saved state, so a context switch drops them."""
    start = number // 64 * 64
    lines = fuzz(cotter(mode, seed), "--load", path, "--from", start)[0]
    return number - start >= len(lines) or comparable(lines[number - start], mode) != comparable(native, mode)


class Case:
    def __init__(self, path, number, mode, seed, want=None):
        self.want = want                                    # which words differ; shrinking must not change that
        self.path, self.number, self.mode, self.prefix = path, number, mode, cotter(mode, seed)
        self.args = ["--load", path, "--only", number]

    def digest(self, prefix, nops):
        extra = ["--nop", ",".join(map(str, nops))] if nops else []
        lines, end, err = fuzz(prefix, *self.args, *extra, timeout=20)
        return " ".join(comparable(x, self.mode) for x in lines) if end == 0 else "end %s %s" % (end, err[:200])

    def excused(self):
        """After a call the engine may leave something below the stack pointer, which a case may then read: where strict
        mode is right, the others are."""
        return self.mode != "strict" and self.digest([], []) == self.digest(self.prefix[:-1] + ["--strict", "--"], [])

    def differs(self, nops=()):
        native, other = self.digest([], nops), self.digest(self.prefix, nops)
        if native == other or native != self.digest([], nops):
            return False
        return self.want is None or "--repeat" in self.args or what_differs(native, other) == self.want

    def shrink(self):
        """Instructions that can be made nops without losing the difference."""
        code = fuzz([], *self.args, "--code")[0]
        nops = []
        for i in range(len([x for x in code[1:] if x.strip()])):
            if self.differs(nops + [i]):
                nops.append(i)
        return nops

    def report(self, lines_native, line_other):
        again = self.differs()
        if not again:                                       # perhaps only when its code has been run before
            self.args += ["--repeat", 4]
            again = self.differs()
        nops = self.shrink() if again else []
        extra = ["--nop", ",".join(map(str, nops))] if nops else []
        args = self.args + ["--verbose"] + extra
        native, other = fuzz([], *args, timeout=20), fuzz(self.prefix, *args, timeout=20)
        alone = "" if again else "only in sequence: "
        text = ["case %d [%s]: %s%s" % (self.number, self.mode, alone, line_other)]
        for line in native[0]:
            if line.startswith("initial state"):
                break
            if line.strip() and line.startswith(("case", "  ")) and "  nop" not in line[40:]:
                text.append("   " + line)
        if again:
            shown = 0
            a, b = native[0], other[0]
            for x, y in zip(a, b + [""] * len(a)):
                if x != y and not x[:1].isdigit() and shown < 12:
                    text += ["   native " + x.strip(), "   here   " + y.strip()]
                    shown += 1
            if other[2]:
                text.append("   " + other[2][:300])
        if not again:
            args = ["--load", self.path, "--from", self.number // 64 * 64]
        text.append("   reproduce: %s %s" % (" ".join(self.prefix), " ".join([FUZZ] + [str(x) for x in args])))
        return "\n".join(text)


def signature(a, b):
    """Differences that look alike are counted, but shown only twice: one fault must not hide the others."""
    names = what_differs(a, b)
    if names.split() == ["flags"] or names.split() == ["gpr", "flags"]:
        x, y = (int(s.split()[s.split().index("flags") + 1], 16) for s in (a, b))
        names += " %x" % ((x ^ y) & 0x10000)
    return names


def compare_mode(path, native, mode, seed, limit):
    """Runs one mode over a file of cases; prints up to `limit` failures and returns how many there were."""
    bad, start, ends, seen, compared, once = 0, 0, 0, {}, 0, 0

    def tell(number, sign, text):
        nonlocal bad
        bad += 1
        seen[sign] = seen.get(sign, 0) + 1
        if seen[sign] <= 2 and sum(min(2, n) for n in seen.values()) <= limit:
            want = text[len("differs in "):] if text.startswith("differs in ") else None
            print(Case(path, number, mode, seed, want).report(native, text), flush=True)

    while start < len(native) and ends < MAX_ENDS:
        lines, end, err = fuzz(cotter(mode, seed), "--load", path, "--from", start)
        lines = [x for x in lines if x]
        whole = end == 0 and len(lines) >= len(native) - start
        if not whole and lines and not lines[-1].startswith("%d " % (start + len(lines) - 1)):
            lines.pop()
        for i, line in enumerate(lines[:len(native) - start]):
            a, b = comparable(native[start + i], mode), comparable(line, mode)
            compared += 1
            if a != b and (whole or i + 1 < len(lines)):
                if is_known_gap(native[start + i], line):
                    continue
                if set(what_differs(a, b).split()) <= {"ptr", "mem"} and not recurs(path, start + i, mode, seed, native[start + i]):
                    once += 1
                    continue
                sign = signature(a, b)
                if " red* " in line and seen.get(sign, 0) < 50 and Case(path, start + i, mode, seed).excused():
                    continue
                tell(start + i, sign, "differs in " + what_differs(a, b))
        if whole:
            break
        while lines and len(lines[-1].split()) != len(native[0].split()):
            lines.pop()                                     # a line that was cut short
        if any(writes_tables(x) for x in native[start:start + len(lines)]):
            start += len(lines)                             # what it ended at is run again, with tables that are right
            continue
        ends += 1
        tell(start + len(lines), "end %s" % end, "ended: %s %s" % (end, err[-300:]))
        start += len(lines) + 1
    for sign, n in seen.items():
        if n > 2:
            print("   %d times: %s" % (n, sign))
    if once:                                                # a few context switches; many would be something else
        print("   %d times: x87 pointers, or memory that they were stored to, differed once and not again" % once)
    if once > 3 + len(native) // 2000:
        bad += 1
    if compared + ends < len(native):                       # what was not compared is not equal
        print("   only %d of %d cases were compared" % (compared, len(native)))
        bad += 1
    return bad


def one_seed(opt, seed, modes):
    path = os.path.join(OUT, "cases-%d-%d" % (seed, os.getpid()))       # several may run side by side
    fuzz([], "--seed", seed, "--count", opt.count, "--save", path)
    for _ in range(3):                                      # a context switch may drop the x87 pointers
        native, end, err = fuzz([], "--load", path)
        again = fuzz(["setarch", "-R"], "--load", path)[0]
        if native == again:
            break
    native = [x for x in native if x]
    if end != 0 or len(native) != opt.count or native != [x for x in again if x]:
        print("seed %d: the native runs differ from each other (%s %s)" % (seed, end, err))
        return 1
    bad = 0
    for mode in modes:
        begin = time.time()
        n = compare_mode(path, native, mode, seed, opt.limit)
        seconds = time.time() - begin
        print("seed %d, %d cases, mode %s: %d differ, %.1f s" % (seed, opt.count, mode, n, seconds), flush=True)
        bad += n
    if not bad:
        os.unlink(path)
    return bad


def main():
    p = argparse.ArgumentParser(prog="tests/fuzz/run.sh")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=10000)
    p.add_argument("--modes", default="default", help="mode names with commas, or all")
    p.add_argument("--minutes", type=float, default=0, help="go on with further seeds for this long")
    p.add_argument("--limit", type=int, default=10, help="failures to show in full per mode")
    p.add_argument("--tool", help="a tool and its options: every case runs under it")
    opt = p.parse_args()
    if opt.tool:
        TOOL.extend(["-t"] + opt.tool.split())
    modes = list(MODES) if opt.modes == "all" else opt.modes.split(",")
    end = time.time() + 60 * opt.minutes
    bad, seed = 0, opt.seed
    while True:
        bad += one_seed(opt, seed, modes)
        seed += 1
        if time.time() >= end:
            break
    return 1 if bad else 0


sys.exit(main())
