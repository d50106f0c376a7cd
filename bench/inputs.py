"""inputs.py: make what the programs of programs.txt read, the same bytes every time on one machine.

Each function below named make_NAME writes the input NAME (dots and dashes become underscores) into a folder; an input
is made once and kept. Real text and code come from the installed packages, the rest from a seeded generator."""
import glob
import math
import os
import random
import shutil
import struct
import subprocess
import tarfile
import wave

HERE = os.path.dirname(os.path.abspath(__file__))


def make(folder, name):
    """Make the input unless it is there. It appears under its name only when complete."""
    path = os.path.join(folder, name)
    if os.path.exists(path):
        return path
    os.makedirs(folder, exist_ok=True)
    part = path + ".part"
    if os.path.isdir(part):
        shutil.rmtree(part)
    globals()["make_" + name.replace(".", "_").replace("-", "_")](part)
    os.rename(part, path)
    return path


def perl_modules():
    folder = os.path.realpath(sorted(glob.glob("/usr/share/perl/5.*"))[0])
    return [f for f in sorted(glob.glob(f"{folder}/**/*.p[ml]", recursive=True)) if "/unicore/" not in f]


def headers():
    return sorted(glob.glob("/usr/include/linux/*.h"))


def write_lines(path, lines):
    with open(path, "w") as out:
        for line in lines:
            out.write(line + "\n")


# Text

def make_mixed_tar(path):
    """Source text and machine code, about 10 MB: what a compressor meets."""
    def plain(info):
        info.mtime = info.uid = info.gid = 0
        info.uname = info.gname = ""
        return info
    with tarfile.open(path, "w") as tar:
        for name in perl_modules() + headers() + [os.path.realpath("/usr/bin/perl")]:
            tar.add(name, filter=plain)


def make_code_txt(path):
    """A few MB of Perl source, as text."""
    with open(path, "wb") as out:
        for name in perl_modules():
            with open(name, "rb") as source:
                out.write(source.read())


def make_part_txt(path):
    with open(make(os.path.dirname(path), "code.txt"), "rb") as source, open(path, "wb") as out:
        out.write(source.read(400_000).rpartition(b"\n")[0] + b"\n")


def make_big_bin(path):
    with open(make(os.path.dirname(path), "mixed.tar"), "rb") as source, open(path, "wb") as out:
        data = source.read()
        for _ in range(25):
            out.write(data)


def make_mixed20_gz(path):
    """The same text twenty times, compressed: for a decompressor."""
    source = make(os.path.dirname(path), "mixed.tar")
    with open(path, "wb") as out:
        one = subprocess.run(["gzip", "-6nc", source], check=True, capture_output=True).stdout
        for _ in range(20):
            out.write(one)


def make_log_txt(path):
    r = random.Random(1)
    kinds, hosts = ["GET", "PUT", "POST", "HEAD"], [f"10.0.{r.randrange(9)}.{r.randrange(250)}" for _ in range(200)]
    write_lines(path, (
        f"{r.choice(hosts)} {i // 86400:02d}/{i % 86400:05d} {r.choice(kinds)} /dir{r.randrange(40)}/page{r.randrange(900)}.html"
        f" {r.choice((200, 200, 200, 304, 404, 500))} {r.randrange(90000)}" for i in range(400_000)))


def make_data_json(path):
    r = random.Random(2)
    write_lines(path, ["["] + [
        '{"id": %d, "name": "n%d", "tags": ["t%d", "t%d"], "size": %.3f, "sub": {"a": %d, "b": null, "c": true}}%s'
        % (i, r.randrange(5000), r.randrange(50), r.randrange(50), r.random() * 100, r.randrange(999), "," if i < 79_999 else "")
        for i in range(80_000)] + ["]"])


def make_data_xml(path):
    r = random.Random(3)
    write_lines(path, ['<?xml version="1.0"?>', "<shop>"] + [
        f'<item id="i{i}" kind="k{r.randrange(40)}"><name>thing &amp; {r.randrange(10**6)}</name>'
        f"<price unit='eur'>{r.randrange(9999) / 100}</price><note>{'lorem ipsum ' * r.randrange(4)}</note></item>"
        for i in range(100_000)] + ["</shop>"])


def make_sentences_txt(path):
    r = random.Random(4)
    who = ["the old man", "a student", "my sister", "the committee that met yesterday", "every dog in the village", "the engineer"]
    what = ["saw", "described", "had bought", "would like to repair", "never understood", "wanted to read"]
    thing = ["the red bicycle", "a long letter from her brother", "the book about rivers and mountains", "two clocks", "the answer"]
    when = ["before the meeting began", "in the garden", "because it was cheap", "when the rain stopped", "with a telescope", "after dinner"]
    write_lines(path, (
        f"{r.choice(who)} {r.choice(what)} {r.choice(thing)} {r.choice(when)} and {r.choice(who)} {r.choice(what)} {r.choice(thing)}"
        f" {r.choice(when)}.".capitalize() for _ in range(70)))


# Compilers

def make_hello_c(path):
    write_lines(path, ["#include <stdio.h>", "int main(void)", "{", '    puts("hello, world");', "    return 0;", "}"])


def preprocess(path, language, text):
    subprocess.run(["gcc", "-x", language, "-E", "-P", "-", "-o", path], input=text.encode(), check=True)


def make_hello_i(path):
    with open(make(os.path.dirname(path), "hello.c")) as source:
        preprocess(path, "c", source.read())


def make_unit_i(path):
    """One C unit made of the bench's own kernels, thirty times over under other names, with every usual header before it."""
    names = ["stdio", "stdlib", "string", "math", "complex", "pthread", "stdatomic", "stdint", "time", "unistd", "signal",
             "sys/socket", "netinet/in", "regex", "wchar", "fcntl", "poll", "dirent", "locale", "setjmp"]
    kernels = [open(f).read() for f in sorted(glob.glob(f"{HERE}/kernels/*.c"))]
    words = ["main", "work", "lock", "next_job", "n_jobs", "total", "take_job", "compare", "worker", "element", "times", "cplx",
             "transform", "multiply", "decompose", "solve", "body", "bodies", "step", "N", "TILE"]
    text = [f"#include <{n}.h>" for n in names]
    for i in range(30):
        for j, kernel in enumerate(kernels):
            text += [f"#define {w} {w}_{i}_{j}" for w in words] + [kernel] + [f"#undef {w}" for w in words]
    preprocess(path, "c", "\n".join(text) + "\n")


def make_unit_ii(path):
    preprocess(path, "c++", """
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <unordered_map>
template <int N> struct Table { std::map<std::string, std::unique_ptr<Table<N - 1>>> part; int sum(int x)
    { int s = N; for (auto &p : part) s += p.second->sum(x) + p.first.size(); return s; } };
template <> struct Table<0> { int sum(int x) { return x; } };
int main()
{
    Table<12> t;
    std::unordered_map<std::string, std::function<int(int)>> f;
    f["a"] = [](int x) { return x + 1; };
    std::regex e("([a-z]+)(\\\\d*)");
    std::istringstream in("one two3");
    for (std::string w; in >> w;)
        if (std::regex_match(w, e))
            std::cout << w << f["a"](t.sum(2));
}
""")


# Solvers and games

def make_random_cnf(path):
    """Random 3-SAT near the threshold, unsatisfiable."""
    r, n = random.Random(5), 265
    clauses = [" ".join(str(v if r.random() < 0.5 else -v) for v in r.sample(range(1, n + 1), 3)) + " 0" for _ in range(int(n * 4.7))]
    write_lines(path, [f"p cnf {n} {len(clauses)}"] + clauses)


def make_plan_mod(path):
    """A transport problem for a linear solver."""
    r, m, n = random.Random(7), 190, 260
    lines = ["set I := 1..%d; set J := 1..%d;" % (m, n), "param cost{I,J}; param have{I}; param need{J};", "var x{I,J} >= 0;",
             "minimize total: sum{i in I, j in J} cost[i,j] * x[i,j];", "s.t. h{i in I}: sum{j in J} x[i,j] <= have[i];",
             "s.t. d{j in J}: sum{i in I} x[i,j] >= need[j];", "s.t. mix{i in I, j in J: (i * 7 + j) mod 5 = 0}: x[i,j] <= 9;",
             "solve; printf \"%.6g\\n\", total;", "data;", "param cost := "]
    lines += [f"{i} {j} {r.randrange(10, 999)}" for i in range(1, m + 1) for j in range(1, n + 1)] + [";", "param have :="]
    lines += [f"{i} {r.randrange(300, 400)}" for i in range(1, m + 1)] + [";", "param need :="]
    lines += [f"{j} {r.randrange(90, 150)}" for j in range(1, n + 1)] + [";", "end;"]
    write_lines(path, lines)


def make_game_sgf(path):
    """Moves of a made-up go game that keep away from each other."""
    r, free, moves = random.Random(8), [(x, y) for x in range(2, 17) for y in range(2, 17)], []
    while len(moves) < 14:
        x, y = free.pop(r.randrange(len(free)))
        moves.append(f";{'BW'[len(moves) % 2]}[{chr(97 + x)}{chr(97 + y)}]")
    write_lines(path, ["(;GM[1]FF[4]SZ[19]KM[6.5]" + "".join(moves) + ")"])


def make_graph_dot(path):
    r = random.Random(9)
    write_lines(path, ["digraph g {"] + [f"n{i} -> n{min(899, i + 1 + int(r.expovariate(0.05)))};" for i in range(900) for _ in range(2)] + ["}"])


# Pictures and sound

def make_scene_pov(path):
    r = random.Random(10)
    spheres = [f"sphere {{ <{r.uniform(-4, 4):.2f}, {r.uniform(0, 3):.2f}, {r.uniform(0, 8):.2f}>, {r.uniform(0.2, 0.7):.2f}"
               f" pigment {{ rgb <{r.random():.2f}, {r.random():.2f}, {r.random():.2f}> }} finish {{ reflection 0.3 specular 0.6 }} }}"
               for _ in range(60)]
    write_lines(path, ["#version 3.7;", "global_settings { assumed_gamma 1 }", "camera { location <0, 2, -6> look_at <0, 1, 2> }",
                       "light_source { <10, 12, -10> rgb 1 }", "light_source { <-8, 6, -4> rgb 0.4 }",
                       "plane { y, -0.5 pigment { checker rgb 1 rgb 0.2 } normal { bumps 0.2 } }",
                       "isosurface { function { x*x + y*y + z*z - 1 + 0.3 * sin(9*x) * sin(9*y) } contained_by { box { -1.4, 1.4 } }"
                       " max_gradient 6 pigment { marble turbulence 0.7 } translate <-1, 1, 0> }"] + spheres)


def make_photo_ppm(path):
    r, n = random.Random(11), 1000
    rows = bytearray()
    for y in range(n):
        for x in range(n):
            v = 128 + 90 * math.sin(x / 37) * math.cos(y / 53)
            rows += bytes((int(v) & 255, (x * y >> 9) & 255, int(v / 2 + r.randrange(40)) & 255))
    with open(path, "wb") as out:
        out.write(b"P6 %d %d 255\n" % (n, n) + bytes(rows))


def make_page_ps(path):
    r = random.Random(12)
    lines = ["%!PS-Adobe-3.0", "/Times-Roman findfont 10 scalefont setfont"]
    for page in range(40):
        for y in range(60):
            text = " ".join("".join(r.choice("abcdefghijklmnoprstuvw") for _ in range(r.randrange(2, 9))) for _ in range(12))
            lines.append(f"40 {780 - y * 12} moveto ({text}) show")
        for _ in range(150):
            lines.append("%.2f %.2f %.2f setrgbcolor newpath %d %d moveto %d %d %d %d %d %d curveto closepath fill" % (
                r.random(), r.random(), r.random(), *(r.randrange(20, 580) for _ in range(8))))
        lines.append("showpage")
    write_lines(path, lines)


def make_sound_wav(path):
    r, rate = random.Random(13), 44100
    with wave.open(path, "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(rate)
        frames = bytearray()
        for i in range(rate * 30):
            t = i / rate
            v = 8000 * math.sin(440 * 6.283 * t) + 5000 * math.sin(661 * 6.283 * t + math.sin(t * 3)) + r.randrange(-900, 900)
            frames += struct.pack("<hh", int(v), int(v * math.sin(t)))
        out.writeframes(bytes(frames) * 4)


# Folders

def make_repo(path):
    """A Git repository of 1500 small files, all committed."""
    r = random.Random(14)
    for i in range(1500):
        folder = f"{path}/d{i % 30}/e{i % 7}"
        os.makedirs(folder, exist_ok=True)
        write_lines(f"{folder}/f{i}.txt", (f"line {r.randrange(1000)}" for _ in range(10)))
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": "1000000000 +0000",
           "GIT_COMMITTER_DATE": "1000000000 +0000"}
    for command in (["init", "-q", "-b", "main"], ["add", "."],
                    ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", "all"]):
        subprocess.run(["git", "-C", path] + command, check=True, env=env)




def make_classes(path):
    """The compiled Java program."""
    subprocess.run(["javac", "-d", path, f"{HERE}/scripts/Mixed.java"], check=True)
