# Every bundled tool, with programs that are unlike others: three instructions, no symbols, C++ with eight threads; and JSON that can be
# read after a crash, an abort, an exec, an _exit and a signal from outside.
# test-timeout: 300
. "$ROOT/tests/tools/lib.sh"
cat > tiny.S <<'C'
        .globl _start
_start: mov $60, %eax
        xor %edi, %edi
        syscall
C
gcc -nostdlib -static -no-pie -s -o tiny tiny.S || die "tiny.S"
cat > many.cpp <<'C'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>
namespace shop {
template <class T> struct Counter {
    std::map<int, T> all;
    __attribute__((noinline)) void count(int n) { for (int i = 0; i < n; i++) all[i % 7] += T(i); }
};
}
int main(int argc, char **argv)
{
    std::vector<std::thread> threads;
    long sums[8];
    for (int t = 0; t < 8; t++)
        threads.emplace_back([t, &sums] { shop::Counter<long> c; c.count(200); sums[t] = c.all[3]; });
    for (auto &t : threads)
        t.join();
    printf("%ld\n", sums[7]);
    fflush(stdout);
    const char *end = argc > 1 ? argv[1] : "";
    if (!strcmp(end, "crash")) *(volatile int *)8 = 1;
    if (!strcmp(end, "abort")) abort();
    if (!strcmp(end, "term")) raise(SIGTERM);
    if (!strcmp(end, "exec")) execl("./tiny", "tiny", nullptr);
    if (!strcmp(end, "_exit")) _exit(6);
}
C
g++ -O1 -g -pthread -o many many.cpp || die "many.cpp"
strip -s -o bare many
cat > is_json.py <<'END'
import json, sys
text = open(sys.argv[1]).read()
try:
    json.loads(text)
except ValueError:                              # a trace: an object on each line, the report behind it
    lines = text.split("\n")
    at = next((i for i, l in enumerate(lines) if l == "{"), len(lines))
    for l in lines[:at]:
        if l:
            json.loads(l)
    if at < len(lines):
        json.loads("\n".join(lines[at:]))
END
options_of() {
    case $1 in
    syscallpolicy) echo "-deny unlink" ;;
    funcargs) echo "-f *count*" ;;
    itrace | champsim | memtrace | calltrace) echo "-main" ;;
    bbv) echo "-interval 10000" ;;
    esac
}
status_of() { case $1 in crash) echo 139 ;; abort) echo 134 ;; term) echo 143 ;; _exit) echo 6 ;; *) echo 0 ;; esac; }
while read -r t about; do
    o=$(options_of "$t") json=--json
    case $t in bbv | champsim) json= ;; esac    # other programs read these
    $COTTER -q run "$t" $o -o tiny.txt -- ./tiny 2>err || die "$t: tiny: status $?: $(cat err)"
    [ -e tiny.txt ] || die "$t: tiny: no report: $(cat err)"
    same "$t: without symbols" 2929 "$($COTTER -q run "$t" $o -o bare.txt -- ./bare 2>err)"
    [ -e bare.txt ] || die "$t: without symbols: no report: $(cat err)"
    for end in crash abort term exec _exit; do
        rm -f report*
        same "$t: $end: output" 2929 "$($COTTER -q run "$t" $o $json -o report -- ./many $end 2>err; echo $? > status)"
        same "$t: $end: status" "$(status_of $end)" "$(cat status)"
        [ -s report ] || die "$t: $end: no report: $(cat err)"
        [ -z "$json" ] || python3 is_json.py report 2>err || die "$t: $end: --json: $(tail -1 err) $(head -3 report)"
    done
    case $t in
    proccount | toprtn | callgraph | calltrace | itrace | bbcount | edgecount)
        rm -f text*
        $COTTER -q run "$t" $o -top 0 -o text -- ./many >/dev/null 2>&1 || $COTTER -q run "$t" $o -o text -- ./many >/dev/null
        grep -q "shop::Counter<long>::count(int)" text || die "$t: no C++ names: $(grep -m3 -i count text)" ;;
    esac
    case $t in
    icount) same "icount: three instructions" "icount: 3 instructions" "$(cat tiny.txt)" ;;
    opcodemix) same "opcodemix: three instructions" "MOV SYSCALL XOR" "$(awk '$3 == "33.33%" { print $1 }' tiny.txt | sort | xargs)" ;;
    bbcount) grep -q "1 executions of 1 blocks\|1 execution of 1 block" tiny.txt || die "bbcount: $(cat tiny.txt)" ;;
    esac
done < <($COTTER list)
