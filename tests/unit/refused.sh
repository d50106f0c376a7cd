# What would leave 64-bit code is refused by name, with one line and status 125.
set -e
cat > p.c <<'C'
#include <asm/ldt.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    static const struct user_desc code = { 1, 0, 0xfffff, 1, MODIFY_LDT_CONTENTS_CODE, 0, 1, 0, 1 };
    struct { unsigned offset; unsigned short selector; } to = { 0x1000, (unsigned short)strtol(argv[2], NULL, 16) };
    unsigned long selector = to.selector;
    syscall(SYS_modify_ldt, 0x11, &code, sizeof code);
    switch (argv[1][0]) {
    case 'j': __asm__ volatile("ljmpl *%0" : : "m"(to)); break;
    case 'c': __asm__ volatile("lcalll *%0" : : "m"(to)); break;
    case 'r': __asm__ volatile("push %0; push $0x1000; lretq" : : "r"(selector)); break;
    case 'i': __asm__ volatile("mov %%rsp, %%rax; push $0x2b; push %%rax; pushfq; push %0; push $0x1000; iretq" : : "r"(selector) : "rax"); break;
    }
    return 0;
}
C
gcc -O1 -o p p.c
for how in jump call return iret; do
    for selector in 23 f; do
        got=0
        $COTTER -- ./p $how $selector > out 2> err || got=$?
        [ $got = 125 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] &&
            grep -qE '^cotter: a switch to 32-bit code is not supported: .+ \(([0-9a-f]{2} )+\) at 0x[0-9a-f]+$' err ||
            { echo "$how to $selector: status $got, said: $(cat err)"; exit 1; }
    done
done

# So are the few calls of 32-bit programs that would.
cat > old.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
    unsigned *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    long r, nr = atol(argv[1]), flags = atol(argv[2]);
    low[0] = 0x1000;
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(flags), "c"(low), "d"(0), "S"(8L) : "memory", "r8", "r9", "r10", "r11");
    return 0;
}
C
gcc -O1 -o old old.c
while read -r nr first what; do
    got=0
    $COTTER -- ./old "$nr" "$first" > out 2> err < /dev/null || got=$?
    [ $got = 125 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] &&
        grep -qE "^cotter: $what is not supported in a 64-bit program: system call $nr by int 0x80 at 0x[0-9a-f]+$" err ||
        { echo "int 0x80 with $nr: status $got, said: $(cat err)"; exit 1; }
done <<'L'
174 10 a 32-bit signal handler
67 10 a 32-bit signal handler
48 10 a 32-bit signal handler
119 0 the return from a 32-bit signal handler
173 0 the return from a 32-bit signal handler
177 0 the 32-bit form of siginfo
120 524288 a 32-bit thread area
68 0 sgetmask or ssetmask
L
