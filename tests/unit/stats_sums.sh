# What --stats says adds up, and grows by what the program does: system calls, signals, threads, children, flushes, indirect branches by
# mechanism, bytes of the cache by kind. Text and JSON say the same.
set -e
cat > p.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void handler(int s) { }
static void *thread(void *p) { return p; }
/* p CALLS SIGNALS THREADS CHILDREN */
int main(int argc, char **argv)
{
    char *none[] = { "/bin/true", NULL };
    pthread_t t;
    signal(SIGUSR1, handler);
    for (int n = atoi(argv[1]); n > 0; n--)
        syscall(SYS_getppid);
    for (int n = atoi(argv[2]); n > 0; n--)
        raise(SIGUSR1);
    for (int n = atoi(argv[3]); n > 0; n--)
        pthread_create(&t, NULL, thread, NULL), pthread_join(t, NULL);
    for (int n = atoi(argv[4]); n > 0; n--) {
        if (!vfork())
            execv(none[0], none), _exit(1);
        wait(NULL);
    }
    return 0;
}
C
gcc -O1 -pthread -o p p.c
stats() { local to=$1; shift; $COTTER -q --stats=json --stats-file="$to" "$@"; }
stats few -- ./p 1 1 1 1
stats more -- ./p 1001 8 4 3
stats followed -f -- ./p 1 1 1 3
stats single --max-trace-ins=1 -- ./p 1 1 1 1
stats unlinked --no-link -- ./p 1 1 1 1
stats tiny --cache-limit=64k --cache-block=16k -- ./p 1 1 1 1
stats chain --indirect=chain --returns=chain -- ./p 1 1 1 1
$COTTER -q --stats -- ./p 1 1 1 1 2> text
/usr/bin/python3 - <<'P'
import json, re
def read(name):
    return json.load(open(name))
few, more, followed, single, unlinked, tiny, chain = map(read, "few more followed single unlinked tiny chain".split())
def same(what, is_so, *values):
    assert is_so, (what, values)
def grows(name, by):
    same(name, more[name] - few[name] == by, few[name], more[name])
grows("signals", 7)
grows("threads", 3)
grows("children_not_followed", 2)
same("followed", followed["children_followed"] == 3 and followed["children_not_followed"] == 0, followed)
same("system calls", 1000 <= more["syscalls"] - few["syscalls"] <= 1150, few["syscalls"], more["syscalls"])
for r in few, more, followed, single, unlinked, tiny, chain:
    ways = [r[n] for n in ("direct_misses", "indirect_misses", "syscalls", "emulated")]
    same("entries of the dispatcher", 0 <= r["dispatches"] - sum(ways) <= r["signals"] * 4 + r["threads"] * 4 + 8, r["dispatches"], ways)
    misses = r["jump_misses"] + r["call_misses"] + r["return_misses"]
    same("misses", misses == r["indirect_misses"], misses, r)
    made = r["jumps"] + r["calls"] + r["returns"]
    found = sum(r["found_" + n] for n in ("shared", "chain", "local", "clone", "shadow"))
    # A guard may let a branch through to a trace that has just gone: then it counts as found and as not found.
    same("indirect branches", made <= found + misses <= made * 1.01, found, misses, made)
    used = sum(r["cache_" + n] for n in ("body", "prefixes", "stubs", "pieces"))
    same("cache bytes", 0 < used <= r["cache_reserved"], used, r["cache_reserved"])
    same("links", r["unlinks"] <= r["links"] <= r["exits"] * 4, r)
    same("ticks", set(r["ticks"]) == {"cache", "decode", "instrument", "regalloc", "emit", "vm", "syscall"} and min(r["ticks"].values()) >= 0, r["ticks"])
same("one instruction per trace", single["insns"] == single["traces"], single)
same("no links", unlinked["links"] == 0 and few["links"] > 0, unlinked["links"], few["links"])
same("flushes", tiny["flushes"] > 0 and few["flushes"] == 0 and tiny["cache_reserved"] <= 65536, tiny)
same("chains", chain["found_chain"] > 0 and few["found_chain"] == 0, chain)
lines = open("text").read().split("\n")
parts = [float(m.group(1)) for m in (re.match(r"  time in .* ([0-9.]+) %$", l) for l in lines) if m]
same("time", len(parts) == 7 and 99 <= sum(parts) <= 101, parts)
# As many numbers as in JSON, but for the pid and the ticks; and the two costs and three rates that are worked out from them.
same("numbers", len([l for l in lines if re.match(r"  .* [0-9.]+$", l)]) == len(few) - 2 + 2, lines)
P
echo ok
