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
