# What a stranger meets in reports: one of a thing and many, functions of C++ by the names people call them, patterns that fit
# nothing, edges that lead nowhere.
# test-timeout: 180
. "$ROOT/tests/tools/lib.sh"
cat > nothing.S <<'P'
.globl _start
_start: mov $60, %eax
        xor %edi, %edi
        syscall
P
gcc -nostdlib -static -o nothing nothing.S || die "nothing.S does not build"
head1() { $COTTER -q run "$@" -o r -- ./nothing && head -1 r; }
same "one" "bbcount: 1 execution of 1 block
callgraph: 3 instructions, 1 call
coverage: 1 block executed
proccount: 1 call of 1 procedure
syscalltrace: 1 system call, 0 failed
toprtn: 3 instructions in 1 routine" "$(for t in bbcount callgraph coverage proccount "syscalltrace -c" toprtn; do head1 $t; done)"
# The call that ends the program leads nowhere.
same "edges" "edgecount: 0 transfers over 0 edges" "$(head1 edgecount)"
# A block is entered from another one, or is a thread's first, or the first behind a signal's return or in its handler.
cat > edges.c <<'P'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void handler(int s) {}
static void *sleeper(void *v) { return pause(), v; }
int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    for (int i = 0; i < 5; i++)
        raise(SIGUSR1);
    pthread_create(&t, 0, sleeper, 0);
    return 0;
}
P
gcc -O1 -pthread -o edges edges.c || die "edges.c does not build"
$COTTER -q run edgecount -json -o e.json -- ./edges
/usr/bin/python3 - <<'P' || die "edges: $(head -c 300 e.json)"
import json
edges = json.load(open("e.json"))["edges"]
last = [e for e in edges if "rt_sigreturn" in e["from_place"] or "__restore_rt" in e["from_place"]]
assert not last, last
P
# C++
cat > names.cpp <<'P'
#include <map>
namespace far { template <class A, class B> struct Pair { A a; B b; int sum(A more) const __attribute__((noinline)); };
template <class A, class B> int Pair<A, B>::sum(A more) const { asm volatile(""); return (int)(a + b + more); }
template <class T> T twice(T v) __attribute__((noinline));
template <class T> T twice(T v) { asm volatile(""); return v + v; }
static int __attribute__((noinline)) plain(int n) { asm volatile(""); return n + 1; } }
int main() { far::Pair<int, long> p{1, 2}; return p.sum(3) + far::twice<int>(4) + far::plain(5) - 20; }
P
g++ -O1 -g -o names names.cpp || die "names.cpp does not build"
for f in "far::plain" "far::plain(int)" "far::Pair<int, long>::sum" "*::sum" "far::twice<int>" "int far::twice<int>(int)" "far::*e*"; do
    $COTTER -q run funcargs -args 1 -f "$f" -o r -- ./names
    grep -q "^0 .*far::.* from " r || die "funcargs -f '$f': $(cat r)"
done
$COTTER -q run funcargs -args 1 -f "far::Pair<int, long>::sum,far::plain,main" -o r -- ./names
same "a list of names that have commas" 3 "$(grep -c ' from ' r)"
$COTTER -q run opcodemix -routine far::plain -json -o m.json -- ./names
grep -q '"instructions": [1-9]' m.json || die "opcodemix -routine: $(head -5 m.json)"
# Nothing fits: said, on stderr alone.
for t in "funcargs -f" "itrace -routine" "memtrace -routine" "calltrace -routine"; do
    $COTTER -q run $t nosuch -o r -- ./names 2> err
    grep -q "${t% *}: no code that ran is of a .* 'nosuch' in an image '\*'" err && [ ! -s r ] || die "$t: $(cat err r)"
done
$COTTER -q run calltrace -limit 3 -o r -- ./names
same "calltrace -limit" 3 "$(wc -l < r)"
# Suppressions: names as they are shown; a kind that does not exist is an error.
cat > leak.cpp <<'P'
namespace far { static void __attribute__((noinline)) lose(int n) { asm volatile("" : : "r"(new int[n])); } }
int main() { far::lose(9); asm volatile("" : : : "rax", "rcx", "rdx", "rsi", "rdi", "memory"); }
P
g++ -O1 -g -o leak leak.cpp || die "leak.cpp does not build"
$COTTER -q run heapcheck -json -o r -- ./leak
grep -q '"leak": 1' r && grep -q '"exit": 0' r || die "leak: $(cat r)"
echo 'leak ... far::lose  # on purpose' > s
$COTTER -q run heapcheck -suppressions s -json -o r -- ./leak
grep -q '"leak": 0' r && grep -q '"suppressed": 1' r || die "suppressed by a name of C++: $(cat r)"
echo 'leaks *' > s
$COTTER -q run heapcheck -suppressions s -- ./leak 2> err && die "no error"
grep -q "s:1: there is no kind of finding .leaks.; there are \* read-outside" err || die "$(cat err)"
# Values that mean nothing are refused before the program runs.
refused() { # TEXT, tool and options
    local want=$1 status
    shift
    $COTTER -q run "$@" -- ./nothing > out 2> err
    status=$?
    [ $status = 125 ] && grep -qF -- "$want" err && [ ! -s out ] || die "$*: status $status, $(cat err)"
}
refused "-top -5: a number from 0 on is wanted" icount -top -5
refused "-top: bad value '99999999999999999999'" icount -top 99999999999999999999
refused "-skip -1: a number from 0 on" itrace -skip -1
refused "-quarantine -1: a number from 0 on" heapcheck -quarantine -1
refused "-e open,nosuch: no system call is called nosuch" syscalltrace -e open,nosuch
refused "cannot write the report to /nonexistent/x: No such file or directory; give another file" callgraph -html /nonexistent/x
refused "cannot write the report to /nonexistent/x" cachesim -record /nonexistent/x
$COTTER -q run icount -json true -o r -- ./nothing && grep -q '"instructions": 3' r || die "-json true: $(cat r)"
$COTTER -q run icount -json FALSE -o r -- ./nothing && grep -q '^icount: 3' r || die "-json FALSE: $(cat r)"
