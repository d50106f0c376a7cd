"""malformed.py SEED COUNT: programs with wrong fields in their ELF headers, run natively and by both ways into them.

Each ends as natively, or is refused by one line and status 125 to 127. Some that are known to reach the kernel's own checks must
end as natively by either way."""
import os
import random
import struct
import subprocess
import sys

EHDR = [(4, 1), (5, 1), (6, 1), (7, 1), (16, 2), (18, 2), (20, 4), (24, 8), (32, 8), (40, 8), (48, 4), (52, 2), (54, 2), (56, 2),
        (58, 2), (60, 2), (62, 2)]
PHDR = [(0, 4), (4, 4), (8, 8), (16, 8), (32, 8), (40, 8), (48, 8)]
VALUES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x38, 0x40, 0xfff, 0x1000, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x400000,
          0x7ffffffff000, 0x800000000000, 2**63, 2**64 - 4096, 2**64 - 1]
PT_LOAD, PT_INTERP = 1, 3


def field(data, at, size, value=None):
    if value is not None:
        data[at:at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")
    return int.from_bytes(data[at:at + size], "little")


def headers(data, kind):
    return [at for at in range(64, 64 + 56 * field(data, 56, 2), 56) if field(data, at, 4) == kind]


def mutate(r, data):
    for _ in range(r.choice((1, 1, 2))):
        if r.random() < 0.3:
            at, size = r.choice(EHDR)
        else:
            at, size = r.choice(PHDR)
            at += 64 + 56 * r.randrange(min(field(data, 56, 2), 12) or 1)
        old = field(data, at, size)
        field(data, at, size, r.choice([r.choice(VALUES), old + r.choice((1, -1, 8, 0x1000, -0x1000)), old ^ 1 << r.randrange(8 * size)]))
        yield "%d: %x to %x" % (at, old, field(data, at, size))


def run(words, patience):
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience)
        return done.returncode, done.stdout, done.stderr
    except OSError as e:
        return "refused: " + e.strerror, b"", b""


def is_refusal(got):
    return got[0] in (125, 126, 127) and got[2].startswith(b"cotter: ") and got[2].count(b"\n") == 1


def check(name, data, what, must_be_native):
    with open("x", "wb") as file:
        file.write(data)
    os.chmod("x", 0o755)
    try:
        native = run(["./x"], 5)
    except subprocess.TimeoutExpired:            # it waits for ever, or runs
        return True
    for way in "ptrace", "exec":
        got = run([os.environ["COTTER"], "--inject=" + way, "--", "./x"], 300)
        same = is_refusal(got) if isinstance(native[0], str) else got[:2] == native[:2]
        if not same and (must_be_native or not is_refusal(got)):
            print("%s, %s, by %s: natively %s, here %s" % (name, what, way, native, got))
            return False
    return True


def known(name, data):
    """What the kernel finds out when it maps: a copy of data for each."""
    loads = headers(data, PT_LOAD)
    for what, at, change in (
            ("more in the file than in memory", loads[0] + 40, lambda v: 16),
            ("offset and address do not match", loads[1] + 8, lambda v: v + 8),
            ("overlapping segments", loads[2] + 40, lambda v: v + 0x200000),
            ("outside of user space", loads[1] + 16, lambda v: v + 0x7ffffffff000)):
        copy = bytearray(data)
        field(copy, at, 8, change(field(copy, at, 8)))
        yield what, copy
    for at in headers(data, PT_INTERP):
        copy = bytearray(data)
        copy[field(copy, at + 8, 8)] = 0
        yield "an interpreter without a name", copy


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    r = random.Random(seed)
    programs = {name: open(name, "rb").read() for name in ("dynamic", "static", "pie", "fixed")}
    good = True
    for name, data in programs.items():
        for what, copy in known(name, bytearray(data)):
            good &= check(name, copy, what, True)
    for _ in range(count):
        name = r.choice(list(programs))
        data = bytearray(programs[name])
        good &= check(name, data, ", ".join(mutate(r, data)), False)
    return not good


sys.exit(main())
