"""find.py: which tests exist, and what each says about itself.

A test is a file found by wildcard:
  tests/diff/*/NAME.{c,cc,S}, tests/transparency/NAME.{c,cc,S}   built, run natively and under Cotter, compared
  tests/diff/programs/NAME.test                                  a bash script whose `run` lines go through Cotter
  tests/soak/NAME.{test,sh}                                      the same, minutes long: only in a soak, or when asked for
  tests/{diff/*,transparency,badinput,fuzz,unit,golden}/NAME.sh  a script that judges by itself: exit status 0 is good

In its first lines a test may say `test-KEY: VALUE`:
  build    more compiler flags                    args     arguments of the program
  modes    all | rotate (default and one more) | default | a list of mode names, with commas
  needs    cpu:FLAG or cmd:PROGRAM, several with spaces: skipped where one is missing
  prefix   put before the program, native or not (setarch -R)
  follow   yes: children run under Cotter too     timeout  seconds for one run
  solo     yes: runs while no other test does     xfail    a known gap, with its reason
  schemes  yes: also in the modes with a + in modes.txt, which otherwise only a soak runs; or in those of this list
  ends     how the native run ends, where that is not with its token and status 0: exit status 3, killed by SIGILL
"""
import os
import re
import shutil
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = ("diff/any", "diff/x86", "diff/regress", "transparency")
SCRIPTS = ("unit", "golden", "diff/any", "diff/x86", "transparency", "badinput", "tools", "fuzz")
KEYS = ("build", "args", "modes", "needs", "prefix", "follow", "timeout", "solo", "xfail", "ends", "schemes")


class Test:
    def __init__(self, path, kind):
        self.path = path
        self.kind = kind                                  # "source", "program" or "script"
        self.name = os.path.relpath(os.path.splitext(path)[0], os.path.join(ROOT, "tests"))
        self.say = dict(modes="rotate" if kind == "program" else "all", timeout="60")
        with open(path, errors="replace") as f:
            for line in [x for _, x in zip(range(20), f)]:
                m = re.search(r"\btest-(\w+): *(.*?) *(\*/)?$", line.rstrip())
                if m:
                    if m.group(1) not in KEYS:
                        raise SystemExit("%s: unknown key test-%s" % (path, m.group(1)))
                    self.say[m.group(1)] = m.group(2)

    def get(self, key, default=""):
        return self.say.get(key, default)

    def missing(self):
        """The first thing that this machine lacks for the test, or None."""
        for need in self.get("needs").split():
            what, _, arg = need.partition(":")
            if what == "cpu" and arg not in cpu_flags():
                return "CPU without " + arg
            if what == "cmd" and not shutil.which(arg):
                return "no program " + arg
        return None

    def modes(self, wanted, all_modes, soak, rotate):
        """Names of the modes for this test. `wanted` comes from the command line."""
        names = [x for x in all_modes if soak or x not in EXTRA_MODES]
        say = self.get("modes")
        if wanted:
            return [x for x in wanted if say in ("all", "rotate") or x in say.split(",")]
        if soak and say in ("all", "rotate"):
            return names
        say_more = self.get("schemes")
        more = sorted(EXTRA_MODES) if say_more == "yes" else say_more.split(",") if say_more else []
        if say == "all":
            return names + more
        if say == "rotate":
            others = names[1:]
            return [names[0], others[(zlib.crc32(self.name.encode()) + rotate) % len(others)]] + more
        return say.split(",") + more


def cpu_flags(cache=[]):
    if not cache:
        with open("/proc/cpuinfo") as f:
            cache.extend(next((x.split(":")[1].split() for x in f if x.startswith("flags")), []))
    return cache


EXTRA_MODES = set()                                       # those with a + before their name


def read_modes():
    modes = {}
    with open(os.path.join(ROOT, "tests/lib/modes.txt")) as f:
        for line in f:
            words = line.split("#")[0].split()
            if words:
                name = words[0].lstrip("+")
                modes[name] = words[1:]
                if name != words[0]:
                    EXTRA_MODES.add(name)
    return modes


def find_tests():
    found = []

    def add(folder, endings, kind):
        full = os.path.join(ROOT, "tests", folder)
        if os.path.isdir(full):
            for name in sorted(os.listdir(full)):
                if os.path.splitext(name)[1] in endings and name not in ("run.sh", "lib.sh"):
                    found.append(Test(os.path.join(full, name), kind))

    for folder in SOURCES:
        add(folder, (".c", ".cc", ".S"), "source")
    add("diff/programs", (".test",), "program")
    add("soak", (".test", ), "program")
    add("soak", (".sh", ), "script")
    for folder in SCRIPTS:
        add(folder, (".sh",), "script")
    return found
