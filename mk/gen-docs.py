#!/usr/bin/env python3
"""gen-docs.py api|compat|names: what the tool headers say, as documents.

api:    docs/api.md, the reference: the headers' own comments and declarations, in reading order.
compat: docs/pin-compat.md with its table made anew: every function of Pin's interface (docs/pin-interface.tsv) and
        whether the headers have it.
names:  the names of that list, each with `yes` or `no`; the test compiles them.

Written to standard output. `make docs` puts the results in place, tests/unit/docs.sh tells when they are stale."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- table: made by mk/gen-docs.py -->", "<!-- end of table -->"
ORDER = ["types.h", "iarg.h", "control.h", "code.h", "ins.h", "xed_decoded.h", "reg.h", "context.h", "image.h", "thread.h", "lock.h",
         "syscall.h", "signal.h", "buffer.h", "codecache.h", "debug.h", "probe.h", "knob_c.h", "cxx_knob.H", "cxx_api.H",
         "cxx_string.H", "cxx_message.H", "cxx_compat.H"]


def read(*path):
    with open(os.path.join(ROOT, *path)) as f:
        return f.read()


def headers():
    folder = os.path.join(ROOT, "include", "cotter")
    here = sorted(os.listdir(folder))
    return [n for n in ORDER if n in here] + [n for n in here if n not in ORDER]


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


# ---- the reference ----

def sentence(comment):
    """The text of one comment, joined to lines of its own."""
    text = re.sub(r"^/\*+|\*/$", "", comment.strip())
    lines = [re.sub(r"^\s*\* ?", "", line) for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def paragraphs(text):
    out, code = [], False
    for line in text.split("\n"):
        is_code = line.startswith("    ") or (code and not line.strip())
        if is_code and not code:
            out.append("```c")
        if code and not is_code:
            out.append("```")
        out.append(line[4:] if is_code else line.strip())
        code = is_code
    if code:
        out.append("```")
    return "\n".join(out).strip()


def is_plumbing(line):
    return re.match(r"#(ifndef|ifdef|endif|else|undef|include|if)\b", line) or re.search(r"COTTER_C\(|^#define COTTER_", line)


def without_bodies(lines):
    """Inline functions as declarations."""
    text, out, i = "\n".join(lines), [], 0
    while i < len(text):
        if text[i] == "{" and re.search(r"\)\s*(const)?\s*$", "".join(out[-12:])):
            depth = 0
            while True:
                depth += {"{": 1, "}": -1}.get(text[i], 0)
                i += 1
                if not depth:
                    break
            while out and out[-1].isspace():
                out.pop()
            out.append(";")
            continue
        out.append(text[i])
        i += 1
    return "".join(out).split("\n")


def reference(name):
    text = read("include", "cotter", name)
    first = re.match(r"/\*(.*?)\*/", text, re.S)
    title = sentence(first.group(0))
    out = ["## " + name, "", paragraphs(title.split(": ", 1)[1] if ": " in title else title), ""]
    code = []

    def flush():
        while code and not code[-1].strip():
            code.pop()
        if any(c.strip() for c in code):
            out.extend(["```c"] + without_bodies(code) + ["```", ""])
        code.clear()

    lines = text[first.end():].split("\n")
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("/* ----"):
            flush()
            heading = line
            while "*/" not in heading:
                i += 1
                heading += " " + lines[i].strip(" *")
            out.extend(["### " + heading.replace("/*", "").replace("*/", "").strip(" -").capitalize(), ""])
        elif line.startswith("/*"):
            flush()
            comment = line
            while "*/" not in comment:
                i += 1
                comment += "\n" + lines[i]
            out.extend([paragraphs(sentence(comment)), ""])
        elif is_plumbing(line):
            pass
        elif code or line.strip():
            code.append(line)
        i += 1
    flush()
    return out


def api():
    out = ["# The tool interface", "",
           "Made from the comments of `include/cotter/*` by `make docs`. A C tool includes `pin.h`, a C++ tool `pin.H`; both",
           "include all that follows. [pin-compat.md](pin-compat.md) tells what of Pin's interface is here, and what is not.", ""]
    out += ["- [%s](#%s)" % (n, n.lower().replace(".", "")) for n in headers() if n in ORDER] + [""]
    for name in headers():
        if name in ORDER:
            out += reference(name)
    return "\n".join(out).rstrip() + "\n"


# ---- the table ----

def listed():
    for line in read("docs", "pin-interface.tsv").splitlines():
        if not line.startswith("#"):
            yield (line.split("\t") + [""])[:5]


def is_declared(name, text):
    if "::" in name:
        owner, member = name.split("::")
        owner = owner.split("<")[0]
        return re.search(r"class %s\b" % owner, text) and re.search(r"\b%s\s*\(" % re.escape(member), text)
    return re.search(r"\b%s\s*[(,]|\b%s\)" % (name, name), text) is not None


def states():
    text = without_comments("".join(read("include", "cotter", n) for n in headers()))
    for area, name, mode, used, why in listed():
        yield area, name, mode, used, why, bool(is_declared(name, text))


def table():
    out, area, rows = [BEGIN, ""], None, list(states())
    out += ["%d of %d are there." % (sum(r[5] for r in rows), len(rows)), ""]
    for r in rows:
        if r[0] != area:
            area = r[0]
            mine = [x for x in rows if x[0] == area]
            out += ["", "### %s: %d of %d" % (area, sum(x[5] for x in mine), len(mine)), "", "| function | mode | used by | state |",
                    "|---|---|---|---|"]
        out.append("| `%s` | %s | %s | %s |" % (r[1], r[2], r[3], "yes" if r[5] else "absent: " + r[4]))
    return "\n".join(out + ["", END])


def compat():
    text = read("docs", "pin-compat.md")
    head, rest = text.split(BEGIN, 1)
    return head + table() + rest.split(END, 1)[1]


def names():
    return "".join("%s\t%s\n" % (r[1], "yes" if r[5] else "no") for r in states())


sys.stdout.write({"api": api, "compat": compat, "names": names}[sys.argv[1]]())
