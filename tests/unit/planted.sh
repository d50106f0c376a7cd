# A tracer writes a breakpoint into code that a program under Cotter has not run yet: it is left out, a line says so, and the program
# goes on. A breakpoint of the program's own raises its signal.
set -e
cat > program.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile int hits;
static void on_trap(int sig) { hits++; }
int __attribute__((noinline)) later(int n) { return n + 1; }
int main(void)
{
    char c;
    signal(SIGTRAP, on_trap);
    puts("ready"), fflush(stdout);
    read(0, &c, 1);
    int n = later(4);
    __asm__ volatile("int3");
    printf("%d, own breakpoints %d\n", n, hits);
    return 6;
}
C
cat > tracer.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)                 /* tracer ADDRESS COMMAND... */
{
    int in[2], out[2], status;
    long at = strtol(argv[1], NULL, 16);
    if (pipe(in) || pipe(out))
        return 1;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(in[0], 0), dup2(out[1], 1);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execvp(argv[2], argv + 2);
        _exit(9);
    }
    close(out[1]);
    FILE *f = fdopen(out[0], "r");
    char line[100];
    if (!fgets(line, sizeof line, f) || ptrace(PTRACE_SEIZE, pid, 0, 0) || ptrace(PTRACE_INTERRUPT, pid, 0, 0) || waitpid(pid, &status, 0) != pid)
        return 1;
    long word = ptrace(PTRACE_PEEKTEXT, pid, at, 0);
    if (ptrace(PTRACE_POKETEXT, pid, at, (word & ~0xffl) | 0xcc) || write(in[1], "x", 1) != 1)
        return 1;
    ptrace(PTRACE_CONT, pid, 0, 0);
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
        ptrace(PTRACE_CONT, pid, 0, status >> 16 ? 0 : WSTOPSIG(status));
    while (fgets(line, sizeof line, f))
        fputs(line, stdout);
    printf("status %x\n", status);
    return 0;
}
C
gcc -O1 -no-pie -o program program.c
gcc -o tracer tracer.c
at=$(nm program | awk '$3 == "later" { print $1 }')
./tracer "$at" $COTTER -- ./program > out 2> err
printf '5, own breakpoints 1\nstatus 600\n' | cmp -s - out || { echo "here: $(cat out err)"; exit 1; }
[ "$(wc -l < err)" = 1 ] && grep -q "^cotter: a debugger's breakpoint at $(printf "0x%x" "0x$at") is left out" err || { echo "said: $(cat err)"; exit 1; }
