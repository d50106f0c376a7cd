#!/usr/bin/python3
"""documented.py ROOT FILE.md...: do what pages say, in the current folder, and compare what is printed with what is shown.

A `gcc ... -o NAME NAME.c` in the text compiles the block of c next to it (or a file below ROOT). The lines of indented blocks that
begin with cotter are run, with those above them that begin with "$ ". Every line that is shown must be printed, but for what differs
from machine to machine: numbers, and lines about the C library and the loader."""
import os, re, subprocess, sys

SYSTEM = re.compile(r"ld-linux|libc\.so|libselinux|libpcre|/usr/lib|__libc|_dl_|dl-\w+\.[ch]:|\[vdso\]|_start|\.S:\d")
NUMBER = re.compile(r"[-+]?(?:0x[0-9a-f]+|\b[0-9a-f]{6,16}\b|\d[\d,.]*%?)")

def plain(line):
    line = line.replace(os.getcwd() + "/", "").replace("/home/me/", "")
    return re.sub(r"(# [a-z]+?)(?:es?|s)\b", r"\1", " ".join(NUMBER.sub("#", line).split()))

def lines_of(text):
    return [plain(l) for l in text.splitlines() if l.strip() and not SYSTEM.search(l)]

def missing(want, got):
    """The first line that is shown, and not printed. Rows of nothing but numbers say how many there were: not compared."""
    got = lines_of(got)
    for line in lines_of(want):
        is_any = line == "..." or line.startswith("... and #") or re.fullmatch(r"[#\s←]*", line)
        if not is_any and line not in got:
            return line
    return None

def sh(command):
    return subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, errors="replace")

def compile_programs(text, root):
    sources = [(m.start(), m.group(1)) for m in re.finditer(r"^```c\n(.*?)^```$", text, re.M | re.S)]
    for m in re.finditer(r"`(gcc [^`]*-o \w+ )([\w/]+\.c)`", text):
        if "/" not in m.group(2) and not os.path.exists(m.group(2)):
            open(m.group(2), "w").write(min(sources, key=lambda s: abs(s[0] - m.start()))[1])
        source = os.path.join(root, m.group(2)) if "/" in m.group(2) else m.group(2)
        if sh(m.group(1) + source).returncode:
            sys.exit("does not compile: " + m.group(0))

def commands(text):
    for block in re.findall(r"(?:^ {4}.*\n|^\s*\n(?= {4}))+", text, re.M):
        lines = [l[4:] for l in block.splitlines()]
        at = [i for i, l in enumerate(lines) if re.match(r"\$ |cotter run ", l)]
        for i, j in zip(at, at[1:] + [len(lines)]):
            yield re.sub(r"^\$ ", "", lines[i]), "\n".join(lines[i + 1:j])

failed = n = 0
for name in sys.argv[2:]:
    text = open(name).read()
    compile_programs(text, sys.argv[1])
    for command, want in commands(text):
        if "ls /usr" in command:                        # how much it has to tell is another machine's business
            want = want.splitlines()[0]
        for attempt in range(4):                        # what threads do to each other differs from run to run
            got = sh(command).stdout
            line = missing(want, got)
            if line is None:
                break
        n += 1
        failed += line is not None
        if line is not None:
            print("%s: %s\nshows: %s\nprints:\n%s" % (name.rsplit("/", 1)[1], command, line, got[:3000]))
print(n, "commands", failed, "differ")
sys.exit(failed > 0)
