"""normal.py: the text of --dump-trace without what differs between machines and builds.

Addresses in the code cache become labels: L for a place in the same trace, S for its stubs and constants, T for the
tables. What lies in the engine's own image is `engine`, its words in thread-local storage are %fs:a, %fs:b in the order
of their appearance, the number of an exit is EXIT. How a return table is indexed depends on the CPU: see INDEX."""
import re
import sys

INDEX = re.compile(r"pext \S+, %r11d, %ecx|movzx %r11w, %ecx")


class Names:
    """Numbers in the order of their first use."""
    def __init__(self, form):
        self.form, self.known = form, {}

    def __call__(self, value):
        return self.form(self.known.setdefault(value, len(self.known)))


class Trace:
    def __init__(self, words):
        self.words = words
        self.stubs, self.inside, self.tables = (Names(lambda n, c=c: "%s%d" % (c, n + 1)) for c in "SLT")
        self.lines = []                                 # (cache address, application address or "", text)

    def address(self, value):
        if 0x7f000000 <= value < 0x80000000:
            return self.tables(value)
        if 0x550000000000 <= value < 0x550040000000:
            return "engine"
        if 0x550040000000 <= value < 0x550078000000:
            return (self.inside if value in [x[0] for x in self.lines] else self.stubs)(value)
        return "%#x" % value

    def text(self, text):
        text = INDEX.sub("INDEX %r11, %rcx", text)
        text = re.sub(r"(movl) \$0x[0-9A-F]+, (%fs:0xFFFFFFFF)", r"\1 $EXIT, \2", text)
        text = re.sub(r"%fs:0xFFFFFFFF([0-9A-F]{8})", lambda m: "%fs:" + self.words(m.group(1)), text)
        return re.sub(r"(?<![\w:])0x([0-9A-F]{6,16})(?![0-9A-F])", lambda m: self.address(int(m.group(1), 16)), text)

    def write(self, out):
        texts = [self.text(x[2]) for x in self.lines]
        for (cache, app, _), text in zip(self.lines, texts):
            label = self.inside.known.get(cache)
            out.append("  %12s %4s  %s" % (app, "L%d:" % (label + 1) if label is not None else "", text))


def normal(log):
    out, trace = [], None
    words = Names(lambda n: chr(ord("a") + n))
    for line in log:
        title = re.match(r"trace at (0x\w+), (application|cache)", line)
        before = re.match(r"  ( *[0-9a-f]{6,12})  [0-9a-f]+ +(.*)$", line)
        after = re.match(r"  (5500[0-9a-f]{8}) ( *[0-9a-f]*)  [0-9a-f]+ +(.*)$", line)
        way_out = re.match(r"  exit (\d+) -> (0x\w+)", line)
        if trace and not after:
            trace.write(out)
            trace = None
        if title and title.group(2) == "application":
            out += ["", "trace at %s" % title.group(1)]
        elif title:
            trace = Trace(words)
            out.append("becomes")
        elif after:
            trace.lines.append((int(after.group(1), 16), after.group(2).strip(), after.group(3)))
        elif before:
            out.append("  %12s       %s" % (before.group(1).strip(), Trace(words).text(before.group(2))))
        elif way_out:
            out.append("  exit %s to %s" % way_out.groups())
    if trace:
        trace.write(out)
    return out[1:]


print("\n".join(x.rstrip() for x in normal(open(sys.argv[1]).read().split("\n"))))
