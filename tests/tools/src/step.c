/* step.c: the truth about instruction counts: run a program under ptrace, one instruction at a time. */
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status;
    unsigned long n = 1;                        /* the last one, exit, does not come back */
    pid_t pid = fork();
    if (!pid) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    while (!ptrace(PTRACE_SINGLESTEP, pid, 0, 0)) {
        waitpid(pid, &status, 0);
        if (WIFEXITED(status) || WIFSIGNALED(status))
            break;
        n++;
    }
    printf("%lu\n", n);
}
