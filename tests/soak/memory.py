"""memory.py COTTER MINUTES: run programs under Cotter side by side that never end by themselves, and watch the memory of
Cotter in each: what is resident in its private range. It may grow while a program warms up, but not for ever."""
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PRIVATE = 0x550000000000, 0x555500000000
ALLOWED_KB = 1024                                       # what a measurement may waver by, and 5 per cent

CHURN = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static void handler(int s) { }
static void *thread(void *p) { raise(SIGUSR1); return p; }
static void generated(int i)
{
    unsigned char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int k = 0; k < 20; k++) {
        memcpy(p + k * 64, (unsigned char[]){0xb8, (unsigned char)i, 0, 0, 0, 0xc3}, 6);
        ((int (*)(void))(p + k * 64))();
    }
    munmap(p, 8192);
}
int main(void)
{
    signal(SIGUSR1, handler);
    for (int i = 0;; i++) {
        pthread_t t[8];
        for (int k = 0; k < 8; k++)
            pthread_create(&t[k], NULL, thread, NULL);
        for (int k = 0; k < 8; k++)
            pthread_join(t[k], NULL);
        generated(i);
        void *h = dlopen("libm.so.6", RTLD_NOW);
        double (*f)(double) = (double (*)(double))dlsym(h, "cos");
        f(i);
        dlclose(h);
        if (i % 20 == 0 && fork() == 0)
            _exit(0);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
    }
}
"""

PYTHON = r"""
import json, re, threading
n = 0
while True:
    n += 1
    space = {}
    exec("def f(x):\n    return [x * %d + i for i in range(200)]" % n, space)
    text = json.dumps(space["f"](n))
    sum(int(x) for x in re.findall("[0-9]+", text))
    t = threading.Thread(target=lambda: sorted(json.loads(text), reverse=True))
    t.start(); t.join()
"""

LUA = r"""
local n = 0
while true do
  n = n + 1
  local f = load("local s = 0 for i = 1, 3000 do s = s + i % " .. (n % 90 + 2) .. " end return s")
  f()
end
"""

NODE = r"""
let n = 0;
function turn() {
  for (let k = 0; k < 20; k++) {
    n++;
    const f = new Function("x", "let s = 0; for (let i = 0; i < 2000; i++) s += (x * i) % " + (n % 97 + 1) + "; return s");
    f(n);
  }
  setImmediate(turn);
}
turn();
"""

PERL = r'my $n = 0; while (1) { $n++; my $f = eval "sub { my \$s = 0; \$s += \$_ * $n for 1 .. 300; \$s }"; $f->(); my %h = map { $_ => $n } 1 .. 200; }'
BASH = "while :; do /bin/true; x=$(echo a | tr a b); done"


def programs(folder):
    with open(folder + "/churn.c", "w") as f:
        f.write(CHURN)
    subprocess.run(["gcc", "-O1", "-pthread", "-o", folder + "/churn", folder + "/churn.c", "-ldl"], check=True)
    for name, text in (("p.py", PYTHON), ("p.lua", LUA), ("p.js", NODE)):
        with open(folder + "/" + name, "w") as f:
            f.write(text)
    all = {"churn": [folder + "/churn"], "python": ["/usr/bin/python3", folder + "/p.py"], "perl": ["perl", "-e", PERL],
           "bash": ["bash", "-c", BASH], "luajit": ["luajit", folder + "/p.lua"], "node": ["node", folder + "/p.js"]}
    return {k: v for k, v in all.items() if shutil.which(v[0])}


def private_kb(pid):
    """Resident memory in Cotter's range."""
    total, is_private = 0, False
    with open("/proc/%d/smaps" % pid) as f:
        for line in f:
            word = line.split()[0]
            if not word.endswith(":"):
                lo = int(word.split("-")[0], 16)
                is_private = PRIVATE[0] <= lo < PRIVATE[1]
            elif word == "Rss:" and is_private:
                total += int(line.split()[1])
    return total


def main():
    cotter, minutes = shlex.split(sys.argv[1]), float(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        running = {name: subprocess.Popen(cotter + ["--"] + words, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
                   for name, words in programs(folder).items()}
        begin = time.time()
        samples = {name: [] for name in running}
        bad = 0
        try:
            while time.time() < begin + 60 * minutes:
                time.sleep(min(5.0, 3 * minutes))
                for name, p in running.items():
                    if p.poll() is not None:
                        print("%s ended: %s" % (name, p.returncode))
                        return 1
                    samples[name].append(private_kb(p.pid))
        finally:
            for p in running.values():
                if p.poll() is None:
                    p.send_signal(signal.SIGKILL)
                    p.wait()
        print("%-8s %10s %10s %10s   KiB of Cotter's" % ("program", "at first", "warm", "at the end"))
        for name, s in samples.items():
            third = len(s) // 3
            warm, end = max(s[third:2 * third]), max(s[2 * third:])
            grown = end > warm * 1.05 + ALLOWED_KB
            bad += grown
            print("%-8s %10d %10d %10d%s" % (name, s[0], warm, end, "   grows" if grown else ""))
    return 1 if bad else 0


sys.exit(main())
