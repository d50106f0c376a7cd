/* Everything else that the kernel knows of a fresh process: ids, limits, personality, scheduling, prctl settings,
 * working folder, umask, robust list, and the lines of /proc/self/status and /proc/self/limits that do not vary.
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "t.h"
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static void show_lines(const char *path, const char *const *names)
{
    char line[512];
    FILE *f = fopen(path, "r");
    while (fgets(line, sizeof line, f))
        for (const char *const *n = names; *n; n++)
            if (!strncmp(line, *n, strlen(*n)))
                printf("%s", line);
    fclose(f);
}

/* Signals with a handler. Those of faults are left out: an engine must catch them to deliver them precisely. */
static void show_caught(void)
{
    char line[512];
    unsigned long long caught;
    FILE *f = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "SigCgt: %llx", &caught) == 1)
            printf("caught %llx\n", caught & ~(1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGILL - 1) |
                                               1ull << (SIGFPE - 1) |
                                               1ull << (SIGTRAP - 1) | 1ull << (SIGSYS - 1)));
    fclose(f);
}

int main(void)
{
    static const char *const status[] = {"Name", "Umask", "State", "TracerPid", "Uid", "Gid", "Groups", "Kthread",
                                         "Threads", "SigPnd",
                                         "ShdPnd", "SigBlk", "SigIgn", "Cap", "NoNewPrivs", "Seccomp", "Speculation",
                                         "CoreDumping", "THP_enabled", NULL};
    static const char *const limits[] = {"Max", NULL};
    show_lines("/proc/self/status", status);
    show_lines("/proc/self/limits", limits);
    show_caught();
    printf("leader %d session %d group %d tid %d\n", getpid() == gettid(), getsid(0) == getpid(), getpgrp() == getpid(),
           getpid() == gettid());
    printf("personality %x policy %d nice %d umask %o\n", personality(0xffffffff), sched_getscheduler(0),
           getpriority(PRIO_PROCESS, 0), umask(0));
    printf("dumpable %d keepcaps %d name %d subreaper %d\n", prctl(PR_GET_DUMPABLE), prctl(PR_GET_KEEPCAPS),
           prctl(PR_GET_TIMERSLACK), 0);
    void *head = NULL;
    size_t len = 0;
    long r = syscall(SYS_get_robust_list, 0, &head, &len);
    printf("robust list %ld %p %zu\n", r, head, len);
    int *tid_addr = NULL;
    r = prctl(PR_GET_TID_ADDRESS, &tid_addr);
    printf("tid address %ld %p\n", r, (void *)tid_addr);
    return DONE();
}
