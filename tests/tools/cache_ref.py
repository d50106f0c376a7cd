"""Simulates the caches of cachesim from its record of accesses and compares with its report.
usage: cache_ref.py RECORD REPORT.json L1I L1D L2 L3     each SIZE,WAYS,LINE,POLICY in bytes, or off"""
import json, sys
from collections import OrderedDict

class Lru:
    """A set whose order is the order of use."""
    def __init__(self, ways): self.ways, self.lines = ways, OrderedDict()
    def access(self, line):
        if line in self.lines:
            self.lines.move_to_end(line)
            return True, None
        gone = self.lines.popitem(last=False) if len(self.lines) == self.ways else None
        self.lines[line] = False
        return False, gone
    def drop(self, line): return self.lines.pop(line, None) is not None

class Slots:
    """A set of numbered ways, for policies that care where a line is."""
    def __init__(self, ways, cache):
        self.ways, self.cache, self.place = ways, cache, [None] * ways
        self.dirty = {}
        self.lines = self.dirty          # line -> dirty, as in Lru
        self.setup()
    def access(self, line):
        if line in self.dirty:
            self.used(self.place.index(line), True)
            return True, None
        way, gone = self.place.index(None) if None in self.place else self.choose(), None
        if self.place[way] is not None:
            gone = (self.place[way], self.dirty.pop(self.place[way]))
        self.place[way] = line
        self.dirty[line] = False
        self.used(way, False)
        return False, gone
    def drop(self, line):
        if line not in self.dirty: return False
        self.place[self.place.index(line)] = None
        del self.dirty[line]
        return True

class Plru(Slots):
    """Recursive halves: which one was used last."""
    def setup(self): self.last = {}
    def used(self, way, hit):
        lo, hi = 0, self.ways
        while hi - lo > 1:
            mid = (lo + hi) // 2
            self.last[lo, hi] = way >= mid
            lo, hi = (mid, hi) if way >= mid else (lo, mid)
    def choose(self):
        lo, hi = 0, self.ways
        while hi - lo > 1:
            mid = (lo + hi) // 2
            lo, hi = (lo, mid) if self.last.get((lo, hi), False) else (mid, hi)
        return lo

class Srrip(Slots):
    def setup(self): self.rank = [0] * self.ways
    def used(self, way, hit): self.rank[way] = 0 if hit else 2
    def choose(self):
        self.rank = [r + 3 - max(self.rank) for r in self.rank]
        return self.rank.index(3)

class Random(Slots):
    def setup(self): pass
    def used(self, way, hit): pass
    def choose(self):
        c = self.cache
        c.seed = (c.seed * 6364136223846793005 + 1442695040888963407) % 2**64
        return (c.seed >> 33) % self.ways

class Cache:
    def __init__(self, text):
        size, ways, self.line, policy = text.split(",")
        self.line, ways, self.seed = int(self.line), int(ways), 1
        n = int(size) // ways // self.line
        kinds = {"lru": lambda: Lru(ways), "plru": lambda: Plru(ways, self), "srrip": lambda: Srrip(ways, self),
                 "random": lambda: Random(ways, self)}
        self.sets = [kinds[policy]() for _ in range(n)]
    def set_of(self, address): return self.sets[address // self.line % len(self.sets)], address // self.line

record, report, *shapes = sys.argv[1:]
names = ["L1I", "L1D", "L2", "L3"]
shape = dict(zip(names, shapes))
count = {n: dict.fromkeys(["reads", "writes", "read_misses", "write_misses", "coherence_misses", "write_backs"], 0) for n in names}
shared = Cache(shape["L3"]) if shape["L3"] != "off" else None
cores, taken = {}, set()

def core(k):
    if k not in cores:
        cores[k] = {n: Cache(shape[n]) for n in names[:3] if shape[n] != "off"}
        if shared: cores[k]["L3"] = shared
    return cores[k]

def line_access(k, first, address, write):
    chain = [n for n in [first, "L2", "L3"] if n in core(k)]
    for i, n in enumerate(chain):
        c, w = core(k)[n], write and i == 0
        count[n]["writes" if w else "reads"] += 1
        ways, line = c.set_of(address)
        hit, gone = ways.access(line)
        if w: ways.lines[line] = True
        if hit: return
        count[n]["write_misses" if w else "read_misses"] += 1
        if gone and gone[1]:
            count[n]["write_backs"] += 1
            if i + 1 < len(chain):
                below, l = core(k)[chain[i + 1]].set_of(gone[0] * c.line)
                if l in below.lines: below.lines[l] = True
        if n == "L1D" and (k, line) in taken:
            taken.discard((k, line))
            count[n]["coherence_misses"] += 1

for text in open(record):
    k, kind, address, size = text.split()
    k, address, size = int(k), int(address, 16), int(size)
    if kind == "I":
        line_access(k, "L1I", address, False)
        continue
    step = core(k)["L1D"].line
    for line in range(address // step, (address + size - 1) // step + 1):
        if kind == "W":
            for other in cores:
                if other == k: continue
                ways, l = cores[other]["L1D"].set_of(line * step)
                had = ways.drop(l)
                if "L2" in cores[other]:
                    ways, l2 = cores[other]["L2"].set_of(line * step)
                    had |= ways.drop(l2)
                if had: taken.add((other, line))
        line_access(k, "L1D", line * step, kind == "W")

got = {row["level"]: row for row in json.load(open(report))["levels"]}
wrong = [f"{n} {key}: {count[n][key]} by the reference, {got[n][key]} by the tool"
         for n in names if shape[n] != "off" for key in count[n] if count[n][key] != got[n][key]]
sys.exit("\n".join(wrong) if wrong else 0)
