/* oracle.c: the truth about registers and counts: run a program under ptrace, one instruction at a time, all of its threads.
 * Prints how many instructions there were, and the sum of the threads' numbers (states.h). */
#include "states.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static struct { pid_t tid; uint64_t hash; } thread[64];
static int n_threads;
static unsigned long count, sum;

static int index_of(pid_t tid)
{
    for (int i = 0; i < n_threads; i++)
        if (thread[i].tid == tid)
            return i;
    thread[n_threads].tid = tid;
    thread[n_threads].hash = 1;
    return n_threads++;
}

static void look(int i)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread[i].tid, 0, &r))
        return;
    long word = ptrace(PTRACE_PEEKTEXT, thread[i].tid, r.rip - 2, 0);
    uint64_t s[N_STATE] = { r.rip, r.eflags, r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi, r.rbp, r.rsp,
                            r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15 };
    thread[i].hash = state_hash(thread[i].hash, s, (unsigned char *)&word);
    count++;
}

int main(int argc, char **argv)
{
    int status, alive = 1;
    pid_t pid = fork();
    if (!pid) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    look(index_of(pid));
    ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
    while (alive) {
        pid_t tid = waitpid(-1, &status, __WALL);
        if (tid < 0)
            break;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            sum += thread[index_of(tid)].hash;
            continue;
        }
        int known = n_threads, i = index_of(tid), event = status >> 16, sig = WSTOPSIG(status);
        if (event == PTRACE_EVENT_CLONE) {          /* still inside of the system call */
            ptrace(PTRACE_SINGLESTEP, tid, 0, 0);
            continue;
        }
        if (i < known && sig != SIGTRAP) {
            fprintf(stderr, "oracle: signal %d\n", sig);
            return 1;
        }
        look(i);                                    /* a new thread stops before its first instruction */
        ptrace(PTRACE_SINGLESTEP, tid, 0, 0);
    }
    printf("%lu %016lx\n", count, sum);
}
