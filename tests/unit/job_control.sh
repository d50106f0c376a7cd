# Job control on a terminal: an interactive shell stops a program by ^Z, lists it, continues it, interrupts it by ^C and sends ^D to another.
# What the terminal shows is the same as natively, whether children are followed or not, by both ways in, under a tool too.
# test-timeout: 180
# test-needs: cmd:bash
cat > talk.py <<'P'
import glob, os, pty, re, select, sys, time

class Terminal:
    def __init__(self, argv):
        self.shown = b""
        self.shell, self.fd = pty.fork()
        if self.shell == 0:
            os.environ.update(PS1="@@ ", TERM="unknown-terminal")
            os.execvp(argv[0], argv)

    def read(self, seconds):
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                self.shown += os.read(self.fd, 4096)
            except OSError:                     # the other side has ended
                return False
        return True

    def until_prompt(self, n):
        while self.shown.count(b"@@ ") < n and self.read(1):
            pass

    def type(self, keys):
        os.write(self.fd, keys)

    # Until this program is in the foreground, and waits.
    def until_job(self, name):
        while True:
            job = os.tcgetpgrp(self.fd)
            try:
                comm, state = re.match(r".*?\((.*)\) (\S)", open("/proc/%d/stat" % job).read(), re.S).groups()
            except OSError:
                comm = state = ""
            if job != self.shell and comm == name and state == "S":
                return
            self.read(0.02)

    def until_end(self):
        while self.read(1):
            pass
        return os.waitpid(self.shell, 0)[1]

def talk(argv):
    t = Terminal(argv + ["bash", "--norc", "--noprofile", "-i"])
    t.until_prompt(1)
    t.type(b"sleep 1000\n"); t.until_job("sleep"); t.type(b"\x1a"); t.until_prompt(2)
    t.type(b"jobs\n"); t.until_prompt(3)
    t.type(b"fg\n"); t.until_job("sleep"); t.type(b"\x03"); t.until_prompt(4)
    t.type(b"echo status $?\n"); t.until_prompt(5)
    t.type(b"cat\n"); t.until_job("cat"); t.type(b"line\n\x04"); t.until_prompt(6)
    t.type(b"exit 3\n")
    status = t.until_end()
    return re.sub(rb"\x1b\[[?0-9;]*[a-zA-Z]", b"", t.shown).replace(b"\r", b""), status

# On a very busy machine a key may come before the shell reads, natively too, and ^C then takes what was typed before it along.
def alike(argv):
    for again in range(3):
        native, here = talk([]), talk(argv)
        if here == native:
            return
        for old in glob.glob("report*"):
            os.remove(old)
    raise AssertionError((argv, here, native))

native = talk([])
assert native[1] == 3 << 8 and b"Stopped" in native[0] and b"status 130" in native[0] and native[0].count(b"line") == 2, native
for options in ([], ["-f"], ["--inject=exec"], ["-f", "--inject=exec"], ["-f", "-q", "run", "opcodemix", "-o", "report"]):
    alike([sys.argv[1]] + options + ["--"])
P
/usr/bin/python3 talk.py "$COTTER" || exit 1
[ "$(ls report* | wc -l)" = 5 ] || { echo "reports: $(ls report*)"; exit 1; }       # bash; two forks, and what they executed
