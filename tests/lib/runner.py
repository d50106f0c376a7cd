"""runner.py: find, build and run the tests; print failures and, as the last line, `N passed, N failed`."""
import argparse
import concurrent.futures
import fcntl
import fnmatch
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import execute
import find

ROOT = find.ROOT
BUILD = os.path.join(ROOT, "build/tests")
COTTER = os.environ.get("COTTER", os.path.join(ROOT, "build/bin/cotter"))
CFLAGS = "-O1 -g -Wall -Wno-unused-result -pthread -fno-omit-frame-pointer".split()


def options():
    p = argparse.ArgumentParser(prog="tests/run.sh", description="Build and run the tests. COTTER= names the command.")
    p.add_argument("--filter", action="append", default=[], metavar="PATTERN",
                   help="only tests whose name matches (a part of the name, or a shell pattern; may be repeated)")
    p.add_argument("--modes", default="", metavar="LIST",
                   help="these modes for every test, with commas; all: every mode")
    p.add_argument("--soak", action="store_true", help="every test in every mode, and a long fuzzing run")
    p.add_argument("--minutes", type=int, default=30, help="how long the fuzzer runs in a soak (30)")
    p.add_argument("--patience", type=float, default=1, metavar="N",
                   help="allow N times as long for each run: for busy machines")
    p.add_argument("-j", type=int, default=os.cpu_count(), metavar="N", help="tests at once")
    p.add_argument("--keep", action="store_true", help="keep scratch folders and output of good tests too")
    p.add_argument("--seed", type=int, default=1, help="base of the seeds for mode random")
    p.add_argument("--rotate", type=int, default=int(time.time() // 86400), metavar="N",
                   help="which further mode the rotating tests get (changes daily)")
    p.add_argument("--native", action="store_true", help="compare native with native: are the tests steady?")
    p.add_argument("--list", action="store_true", help="list tests and stop")
    p.add_argument("--slow", type=int, default=0, metavar="N", help="list the N slowest tests at the end")
    p.add_argument("-v", action="store_true", help="a line for every test")
    return p.parse_args()


def clean_env():
    """The environment of every run: small, and the same on every machine."""
    return {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "HOME": "/nonexistent",
            "TERM": "dumb", "SHELL": "/bin/sh", "USER": "tester", "PYTHONDONTWRITEBYTECODE": "1"}


def claim_folder():
    """A folder for scratch files that no other invocation uses at the same time; the same one again when it is free."""
    os.makedirs(BUILD, exist_ok=True)
    for n in range(100):
        lock = open(os.path.join(BUILD, "run%d.lock" % n), "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return os.path.join(BUILD, "run%d" % n), lock
        except OSError:
            lock.close()
    raise SystemExit("too many test runs at once")


def plain(text):
    """A failure without its addresses and numbers, to tell whether two modes fail alike."""
    return re.sub(r"0x[0-9a-f]+|[0-9]+", "#", text)


class Run:
    """One invocation of the runner."""
    def __init__(self, opt):
        self.opt = opt
        self.folder, self.lock_file = claim_folder()
        self.modes = find.read_modes()
        self.wanted = list(self.modes) if opt.modes == "all" else [x for x in opt.modes.split(",") if x]
        for name in self.wanted:
            if name not in self.modes:
                raise SystemExit("unknown mode %s; there are: %s" % (name, " ".join(self.modes)))
        self.lock = threading.Lock()
        self.done = self.passed = self.failed = 0
        self.skipped, self.times, self.expected = [], [], []

    def seed(self, test):
        return (self.opt.seed * 1000003 + zlib.crc32(test.name.encode())) % 1000000007 or 1

    def cotter(self, test, mode):
        """The words that put a program under Cotter."""
        if self.opt.native:
            return []
        words = [x.replace("SEED", str(self.seed(test))) for x in self.modes[mode]]
        return shlex.split(COTTER) + ["-q"] + (["-f"] if test.get("follow") == "yes" else []) + words + ["--"]

    # Building ------------------------------------------------------------------------------------------------------
    def build(self, test):
        """Compile a source test; the path of the program, or an error text as second value."""
        out = os.path.join(BUILD, test.name)
        lib = os.path.join(ROOT, "tests/lib")
        inputs = [test.path] + [os.path.join(lib, x) for x in os.listdir(lib) if x.endswith(".h")]
        if os.path.exists(out) and os.path.getmtime(out) > max(map(os.path.getmtime, inputs)):
            return out, None
        os.makedirs(os.path.dirname(out), exist_ok=True)
        compiler = ["g++", "-std=gnu++17"] if test.path.endswith(".cc") else ["gcc", "-std=gnu11"]
        build = test.get("build").replace("$DIR", os.path.dirname(test.path))
        new = "%s.%d.new" % (out, os.getpid())
        words = compiler + CFLAGS + ["-I", lib, "-o", new, test.path] + shlex.split(build) + ["-lm", "-ldl"]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            return None, "does not compile: " + shlex.join(words) + "\n" + done.stdout.decode("utf-8", "replace")
        os.rename(new, out)
        return out, None

    # Running -------------------------------------------------------------------------------------------------------
    def command(self, test, program, cotter):
        if test.kind == "source":
            return shlex.split(test.get("prefix")) + cotter + [program] + shlex.split(test.get("args"))
        return ["/bin/bash", os.path.join(ROOT, "tests/lib/program.sh"), test.path] + cotter

    def once(self, test, program, mode, cotter):
        base = os.path.join(self.folder, test.name)
        env = clean_env()
        timeout = float(test.get("timeout")) * self.opt.patience
        return execute.execute(self.command(test, program, cotter), os.path.join(base, "work"),
                               os.path.join(base, mode), env, timeout)

    def differential(self, test):
        """Failures of one differential test: a list of (mode, text)."""
        program = test.path
        if test.kind == "source":
            program, error = self.build(test)
            if error:
                return [("build", error)]
        native = self.once(test, program, "native", [])
        if native.timed_out:
            return [("native", "timed out natively")]
        end = execute.describe_status(native)
        token = b"ok " + os.path.basename(test.name).encode()
        if end != test.get("ends", "exit status 0"):
            return [("native", "natively %s: %s" % (end, native.stderr[-300:].decode("utf-8", "replace")))]
        if test.kind == "source" and not test.get("ends") and token not in native.stdout:
            return [("native", "natively without its token at the end")]
        bad = []
        for mode in test.modes(self.wanted, self.modes, self.opt.soak, self.opt.rotate):
            text = execute.compare(native, self.once(test, program, mode, self.cotter(test, mode)))
            if text:
                bad.append((mode, text))
        return bad

    def script(self, test):
        base = os.path.join(self.folder, test.name)
        env = dict(clean_env(), COTTER=COTTER, ROOT=ROOT, BUILD=BUILD,
                   SOAK_MINUTES=str(self.opt.minutes * self.opt.soak))
        if "ROUNDS" in os.environ:              # some go on as often as one likes
            env["ROUNDS"] = os.environ["ROUNDS"]
        timeout = float(test.get("timeout")) * self.opt.patience + 60 * self.opt.minutes * self.opt.soak
        got = execute.execute(["/bin/bash", test.path], os.path.join(base, "work"), os.path.join(base, "script"), env,
                              timeout, take_files=False)
        if got.status or got.timed_out:
            text = (got.stdout + got.stderr)[-2000:].decode("utf-8", "replace").strip()
            return [("script", execute.describe_status(got) + ": " + text)]
        return []

    # Reporting -----------------------------------------------------------------------------------------------------
    def reproduce(self, test, mode):
        words = "tests/run.sh --keep --filter %s" % test.name
        if mode in self.modes:
            words += " --modes " + mode
            if "SEED" in " ".join(self.modes[mode]):
                words += " --seed %d (--random-layout=%d)" % (self.opt.seed, self.seed(test))
        return words

    def one(self, test):
        begin = time.time()
        missing = test.missing()
        if test.kind != "script" and not test.modes(self.wanted, self.modes, self.opt.soak, self.opt.rotate):
            missing = "not for the modes asked for"          # a test that was not run has not passed
        bad = []
        if not missing:
            try:
                bad = self.script(test) if test.kind == "script" else self.differential(test)
            except Exception as e:                            # a fault of the runner must not hide a test
                bad = [("runner", repr(e))]
        seconds = time.time() - begin
        with self.lock:
            self.done += 1
            self.times.append((seconds, test.name))
            if missing:
                self.skipped.append("%s (%s)" % (test.name, missing))
            elif bad and test.get("xfail"):
                self.passed += 1
                self.expected.append("%s: %s" % (test.name, test.get("xfail")))
            elif bad:
                self.failed += 1
                mode, text = bad[0]
                modes = " ".join(m for m, _ in bad)
                print("FAIL %s [%s] %s | %s" % (test.name, modes, text.replace("\n", "\n     "),
                                                self.reproduce(test, mode)), flush=True)
                for other in dict.fromkeys(t for _, t in bad[1:] if plain(t) != plain(text)):
                    print("     also: " + other.replace("\n", "\n     "), flush=True)
            else:
                self.passed += 1
                if test.get("xfail"):
                    print("note: %s passes, though marked: %s" % (test.name, test.get("xfail")))
            if self.opt.v:
                word = "skip" if missing else "FAIL" if bad else "ok"
                print("%-6s %6.2f s  %s" % (word, seconds, test.name), flush=True)
            elif self.done % 50 == 0:
                print("... %d of %d" % (self.done, self.total), flush=True)
        if not bad and not self.opt.keep:
            execute.remove_tree(os.path.join(self.folder, test.name))

    def all(self, tests):
        self.total = len(tests)
        together = [t for t in tests if t.get("solo") != "yes"]
        together.sort(key=lambda t: -float(t.get("timeout")))     # long ones first
        with concurrent.futures.ThreadPoolExecutor(max(1, self.opt.j)) as pool:
            list(pool.map(self.one, together))
        for test in tests:
            if test.get("solo") == "yes":
                self.one(test)


def selected(tests, patterns):
    def match(name, p):
        return p in name if not set(p) & set("*?[") else fnmatch.fnmatch(name, p)
    names = {t.name for t in tests}                         # a whole name means that test alone

    def wanted(name):
        return not patterns or any(name == p if p in names else match(name, p) for p in patterns)
    return [t for t in tests if wanted(t.name)]


def default_signals():
    """A shell starts what it puts in the background with SIGINT and SIGQUIT ignored, nohup with SIGHUP; tests expect none of that."""
    for sig in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCHLD):
        if signal.getsignal(sig) == signal.SIG_IGN:
            signal.signal(sig, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def main():
    opt = options()
    run = Run(opt)
    tests = [t for t in selected(find.find_tests(), opt.filter) if not opt.native or t.kind != "script"]
    if not opt.soak and not any(p.startswith("soak") for p in opt.filter):
        tests = [t for t in tests if not t.name.startswith("soak/")]
    if opt.list:
        for test in tests:
            print("%-8s %-40s %s" % (test.kind, test.name, test.get("modes")))
        return 0
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    os.umask(0o022)
    default_signals()
    begin = time.time()
    print("%d tests, %d at once; seed %d, rotation %d" % (len(tests), opt.j, opt.seed, opt.rotate), flush=True)
    run.all(tests)
    for text in run.expected:
        print("expected failure: " + text)
    for text in run.skipped:
        print("skipped: " + text)
    for seconds, name in sorted(run.times, reverse=True)[:opt.slow]:
        print("%7.1f s  %s" % (seconds, name))
    print("%.0f s" % (time.time() - begin))
    if not tests:
        print("no test matches " + " ".join(opt.filter))
    print("%d passed, %d failed" % (run.passed, run.failed))
    return 1 if run.failed or not tests else 0


sys.exit(main())
