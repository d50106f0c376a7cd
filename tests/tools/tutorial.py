#!/usr/bin/python3
"""tutorial.py FILE.md: do what a tutorial says, in the current folder. A block of c is a file; its first line is a comment that
begins with its name. In a block of console the lines that begin with "$ " are run and must print the lines below them. Numbers
from 1000 on may differ by 2 %: they hold what the loader and the C library do before main."""
import re, subprocess, sys

NUMBER = re.compile(r"\d+")

def blocks(text):
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)

def alike(want, got):
    if NUMBER.sub("#", want) != NUMBER.sub("#", got):
        return False
    pairs = zip(map(int, NUMBER.findall(want)), map(int, NUMBER.findall(got)))
    return all(a == b or (a >= 1000 and abs(a - b) <= a * 0.02) for a, b in pairs)

def run(command, want):
    got = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120).stdout
    want, got = want.splitlines(), got.splitlines()
    if len(want) != len(got) or not all(map(alike, want, got)):
        sys.exit("$ %s\nthe tutorial shows:\n%s\nit prints:\n%s" % (command, "\n".join(want), "\n".join(got)))

files = commands = 0
for kind, body in blocks(open(sys.argv[1]).read()):
    if kind == "c":
        open(re.match(r"/\* ([\w.]+):", body).group(1), "w").write(body)
        files += 1
    elif kind == "console":
        for command, want in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.M):
            run(command, want)
            commands += 1
print(files, "files", commands, "commands")
