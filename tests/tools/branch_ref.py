"""Predicts the branches of branchsim's record again, from the description in its header alone, and compares.
usage: branch_ref.py RECORD REPORT.json BITS"""
import json, sys
from collections import defaultdict

record, report, bits = sys.argv[1], sys.argv[2], int(sys.argv[3])
LENGTHS, IDX, TAG = [4, 8, 16, 32, 64], 10, 9

def index(pc, n): return (pc ^ pc >> n) % 2**n

def fold(outcomes, length, n):
    """outcomes: newest first"""
    recent, total = outcomes[:length], 0
    for i, bit in enumerate(recent):
        total ^= bit << i % n
    return total

class Two:
    """Two-bit counters."""
    def __init__(self): self.c = defaultdict(lambda: 1)
    def says(self, k): return self.c[k] > 1
    def learn(self, k, t): self.c[k] = min(3, self.c[k] + 1) if t else max(0, self.c[k] - 1)

class Thread:
    def __init__(self):
        self.bimodal, self.gshare, self.base = Two(), Two(), Two()
        self.tables = [defaultdict(lambda: [0, 0, 0]) for _ in LENGTHS]        # tag, counter, useful
        self.history, self.n = [], 0

    def branch(self, pc, taken):
        wrong, k = [], index(pc, bits)
        recent = sum(b << i for i, b in enumerate(self.history[:bits]))
        for table, at in (self.bimodal, k), (self.gshare, k ^ recent):
            wrong.append(table.says(at) != taken)
            table.learn(at, taken)
        wrong.append(self.tage(pc, taken))
        self.history = [int(taken)] + self.history[:63]
        self.n += 1
        if self.n % 2**18 == 0:
            for t in self.tables:
                for e in t.values(): e[2] //= 2
        return wrong

    def tage(self, pc, taken):
        k, h = index(pc, bits), self.history
        tags = [(pc ^ fold(h, l, TAG) ^ fold(h, l, TAG - 1) * 2) % 2**TAG for l in LENGTHS]
        entries = [t[index(pc, IDX) ^ fold(h, l, IDX)] for t, l in zip(self.tables, LENGTHS)]
        hits = [i for i in range(5) if entries[i][0] == tags[i]]
        votes = [self.base.says(k)] + [entries[i][1] >= 0 for i in hits]
        last, before = votes[-1], votes[-2] if len(votes) > 1 else votes[-1]
        said = last
        if hits:
            e = entries[hits[-1]]
            if e[2] == 0 and e[1] in (0, -1): said = before
            if last != before: e[2] = min(3, e[2] + 1) if last == taken else max(0, e[2] - 1)
            e[1] = min(3, e[1] + 1) if taken else max(-4, e[1] - 1)
        else:
            self.base.learn(k, taken)
        if said != taken:
            longer = range(hits[-1] + 1 if hits else 0, 5)
            free = [i for i in longer if entries[i][2] == 0]
            if free: entries[free[0]][:] = [tags[free[0]], 0 if taken else -1, 0]
            else:
                for i in longer: entries[i][2] -= 1
        return said != taken

threads, wrong, n, n_taken = defaultdict(Thread), [0, 0, 0], 0, 0
for text in open(record):
    t, pc, taken = text.split()
    n += 1
    n_taken += taken == "1"
    for k, w in enumerate(threads[t].branch(int(pc, 16), taken == "1")): wrong[k] += w
d = json.load(open(report))
got = {r["predictor"]: r["wrong"] for r in d["predictors"]}
expected = dict(zip(["bimodal", "gshare", "tage"], wrong))
if (d["conditional"], d["taken"]) != (n, n_taken): sys.exit(f"{n} branches, {n_taken} taken; the tool: {d['conditional']}, {d['taken']}")
sys.exit("\n".join(f"{k}: wrong {expected[k]} times by the reference, {got[k]} by the tool" for k in expected if expected[k] != got[k]) or 0)
