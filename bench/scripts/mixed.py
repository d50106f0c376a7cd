"""mixed.py ROUNDS: classes, dictionaries, regular expressions, JSON, sorting and big integers."""
import collections
import heapq
import json
import re
import sys


class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None

    def insert(self, key):
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Node(key))
        else:
            child.insert(key)

    def walk(self):
        if self.left:
            yield from self.left.walk()
        yield self.key
        if self.right:
            yield from self.right.walk()


def tree(n):
    root, key = Node(n // 2), 1
    for _ in range(n):
        key = key * 1103515245 + 12345 & 0x7FFFFFFF
        root.insert(key % n)
    return sum(i * k for i, k in enumerate(root.walk()))


def text(n):
    lines = [f"{i * 7919 % 10007:05d} user{i % 97} GET /item/{i % 331}?q={i * 31 % 17} {i % 5 * 100 + 200}" for i in range(n)]
    pattern = re.compile(r"^(\d+) (\w+) GET /item/(\d+)\?q=(\d+) (\d{3})$")
    hits = collections.Counter()
    for line in lines:
        m = pattern.match(line)
        hits[m.group(2), m.group(5)] += int(m.group(4))
    return json.dumps(sorted((k[0], k[1], v) for k, v in hits.items()))


def shortest(n):
    graph = {i: [((i * 7 + 1) % n, i % 13 + 1), ((i * 3 + 2) % n, i % 5 + 2), ((i + 1) % n, 9)] for i in range(n)}
    best, queue = {}, [(0, 0)]
    while queue:
        d, v = heapq.heappop(queue)
        if v not in best:
            best[v] = d
            for w, cost in graph[v]:
                if w not in best:
                    heapq.heappush(queue, (d + cost, w))
    return sum(best.values())


for r in range(int(sys.argv[1])):
    blob = text(4000)
    print(r, tree(4000), len(blob), len(json.loads(blob)), shortest(6000), pow(3, 2000 + r) % 1000003)
