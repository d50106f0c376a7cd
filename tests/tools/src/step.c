/* step.c: the truth about instruction counts: run a program under ptrace, one instruction at a time. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status, sig = 0;
    unsigned long n = 0;
    pid_t pid = fork();
    if (!pid) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    while (!ptrace(PTRACE_SINGLESTEP, pid, 0, sig)) {
        int delivered = sig;
        waitpid(pid, &status, 0);
        n += WIFEXITED(status);                 /* the last one, exit, does not come back */
        if (!WIFSTOPPED(status))
            break;
        sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        n += !sig && !delivered;                /* no instruction: one that faults, and the way to a handler */
    }
    printf("%lu\n", n);
}
