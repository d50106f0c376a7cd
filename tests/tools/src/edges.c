/* edges: steps through a program and prints each pair of addresses that followed each other, with how often. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 1 << 16 };
static struct { unsigned long from, to, count; } slots[SLOTS];

static void note(unsigned long from, unsigned long to)
{
    unsigned long i = (from * 31 + to) % SLOTS;
    while (slots[i].count && (slots[i].from != from || slots[i].to != to))
        i = (i + 1) % SLOTS;
    slots[i].from = from;
    slots[i].to = to;
    slots[i].count++;
}

int main(int argc, char **argv)
{
    struct user_regs_struct r;
    unsigned long last = 0;
    int status;
    pid_t pid = fork();
    if (!pid) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        ptrace(PTRACE_GETREGS, pid, 0, &r);
        note(last, r.rip);
        last = r.rip;
        ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].count)
            printf("%lx %lx %lu\n", slots[i].from, slots[i].to, slots[i].count);
    return 0;
}
