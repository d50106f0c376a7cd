# A debugger steps a program under Cotter, instruction by instruction of the cache, of the engine and of the tool, and lets it go:
# the trap flag was the debugger's, and nothing of it is left in the program's flags.
# test-timeout: 300
set -e
. "$ROOT/tests/tools/lib.sh"
tool stepped
cat > p.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    unsigned char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned long sum = 0, flags, traps = 0;
    char c;
    write(1, "r", 1);
    for (unsigned i = 0; i < 3000; i++) {
        memcpy(p + 16 * (i & 0xffff), (unsigned char[]){0xb8, (unsigned char)i, 0, 0, 0, 0xc3}, 6);    /* new code each time */
        sum += ((unsigned (*)(void))(p + 16 * (i & 0xffff)))();
        sum += (unsigned long)getppid() * 0;
    }
    read(0, &c, 1);                              /* the debugger is gone */
    for (unsigned i = 0; i < 100; i++) {
        __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tpop %0\n\tlea 128(%%rsp), %%rsp" : "=r"(flags) : : "memory");
        traps += flags >> 8 & 1;
    }
    printf(" %lu %lu\n", sum, traps);
    return 0;
}
C
cat > steps.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int from[2], to[2], status;
    char c;
    if (pipe(from) || pipe(to))
        return 99;
    pid_t pid = fork();
    if (!pid) {
        dup2(from[1], 1);
        dup2(to[0], 0);
        execv(argv[2], argv + 2);
        _exit(98);
    }
    close(from[1]);
    if (read(from[0], &c, 1) != 1 || ptrace(PTRACE_SEIZE, pid, 0, 0) || ptrace(PTRACE_INTERRUPT, pid, 0, 0) || waitpid(pid, &status, 0) != pid)
        return 97;
    for (int i = 0, pass = 0; i < atoi(argv[1]); i++) {
        if (ptrace(PTRACE_SINGLESTEP, pid, 0, pass) || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
            return 96;
        pass = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    }
    ptrace(PTRACE_DETACH, pid, 0, 0);
    if (write(to[1], "g", 1) != 1)
        return 95;
    while (read(from[0], &c, 1) == 1)
        putchar(c);
    waitpid(pid, &status, 0);
    printf("status %d signal %d\n", WEXITSTATUS(status), WTERMSIG(status));
    return 0;
}
C
gcc -O1 -o p p.c
gcc -O1 -o steps steps.c
for how in "" "--no-link" "--returns=precall" "-t $TOOL"; do
    timeout 200 ./steps 20000 $COTTER -q $how -- ./p > out 2> err || die "$how: the stepper ended with $?, $(cat out err)"
    same "$how" "$(printf ' 375876 0\nstatus 0 signal 0')" "$(cat out)"
    [ -z "$how" ] || [ -n "${how##-t*}" ] || same "the tool" "many 0" "$(cat err)"
done
