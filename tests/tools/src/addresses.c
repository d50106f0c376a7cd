/* addresses: steps through a program and prints the address of each instruction it executes, in order. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct user_regs_struct r;
    int status;
    pid_t pid = fork();
    if (!pid) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        ptrace(PTRACE_GETREGS, pid, 0, &r);
        printf("%llx\n", r.rip);
        ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
    }
    return 0;
}
