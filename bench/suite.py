"""suite.py: read programs.txt and modes.txt, and turn a line of each into a command."""
import collections
import os
import re
import shlex
import shutil
import string
import subprocess

import inputs

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BUILD = os.path.join(ROOT, "build", "bench")
CLASSES = ["int", "fp", "short", "jit", "threads"]
PATH = "/usr/bin:/bin:/usr/games"       # not /usr/local: the packages' own programs are meant

Program = collections.namedtuple("Program", "cls name flags argv stdin keep")
Mode = collections.namedtuple("Mode", "name default runs follows prefix")


def lines(name):
    with open(os.path.join(HERE, name)) as table:
        for line in table:
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def gcc_part(name):
    return subprocess.run(["gcc", f"-print-prog-name={name}"], capture_output=True, text=True).stdout.strip()


def variables():
    return {"S": os.path.join(HERE, "scripts"), "K": os.path.join(BUILD, "kernels"), "W": os.path.join(BUILD, "work"),
            "CC1": gcc_part("cc1"), "CC1PLUS": gcc_part("cc1plus"), "GAP": "/usr/lib/x86_64-linux-gnu/gap/gap"}


def programs():
    """All programs of the table. Inputs are named but not made: see prepare()."""
    known, result = variables(), []
    for line in lines("programs.txt"):
        cls, name, flags, command = line.split(None, 3)
        argv, stdin, keep = [], "/dev/null", None
        for word in shlex.split(string.Template(command).safe_substitute(known)):
            if word.startswith("<"):
                stdin = word[1:]
            elif word.startswith("keep="):
                keep = re.compile(word[5:].encode(), re.M)
            else:
                argv.append(word)
        result.append(Program(cls, name, flags, argv, stdin, keep))
    return result


def prepare(program):
    """Make the program's inputs and find its file. None if it is not installed."""
    def place(word):
        return re.sub(r"@([\w.-]+)", lambda m: inputs.make(os.path.join(BUILD, "in"), m.group(1)), word)
    file = shutil.which(program.argv[0], path=PATH)
    if not file:
        return None
    return program._replace(argv=[file] + [place(w) for w in program.argv[1:]], stdin=place(program.stdin))


def modes():
    result = []
    for line in lines("modes.txt"):
        name, needs, runs, *command = line.split(None, 3)
        result.append((name, needs, None if runs == "-" else int(runs), command[0] if command else ""))
    return result


def mode(row, cotter, opts):
    """The mode of a table row, or None when what it needs is missing."""
    name, needs, runs, command = row
    known = {"COTTER": cotter, "OPTS": opts, "T": os.path.join(BUILD, "tools"), **os.environ}
    try:
        needs, command = string.Template(needs).substitute(known), string.Template(command).substitute(known)
    except KeyError:
        return None
    if needs != "-" and not shutil.which(needs):
        return None
    words = shlex.split(command)
    follows = words[:1] != ["nofollow"]
    words = words if follows else words[1:]
    if words:
        words[0] = shutil.which(words[0]) or words[0]
    return Mode(name.rstrip("*"), not name.endswith("*"), runs, follows, words)


def compile_all():
    """The kernels, and the helper that measures; again when a source is newer."""
    os.makedirs(os.path.join(BUILD, "kernels"), exist_ok=True)
    os.makedirs(os.path.join(BUILD, "work"), exist_ok=True)
    sources = sorted(os.listdir(os.path.join(HERE, "kernels")))
    jobs = [(os.path.join(HERE, "kernels", s), os.path.join(BUILD, "kernels", s[:-2]), []) for s in sources]
    jobs.append((os.path.join(HERE, "measure.c"), os.path.join(BUILD, "measure"), ["-static"]))
    for source, target, flags in jobs:
        if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
            subprocess.run(["gcc", "-O2", *flags, "-o", target, source, "-lm", "-lpthread"], check=True)


def compile_tools(cotter):
    """The tools that are measured, again when a source or the engine is newer."""
    folder, library = os.path.join(HERE, "tools"), os.path.join(os.path.dirname(cotter), "../lib/cotter/libcotter.a")
    os.makedirs(os.path.join(BUILD, "tools"), exist_ok=True)
    for name in sorted(os.listdir(folder)):
        source, target = os.path.join(folder, name), os.path.join(BUILD, "tools", name[:-2])
        if not os.path.exists(target) or os.path.getmtime(target) < max(map(os.path.getmtime, (source, library))):
            subprocess.run([cotter, "build", source, "-o", target], check=True)
