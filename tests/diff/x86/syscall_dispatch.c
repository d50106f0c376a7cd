/* System-call user dispatch: calls become SIGSYS when the selector says so; threads and children start without it. */
#include "t.h"
#include <sys/prctl.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

static volatile char selector;

static void handler(int sig, siginfo_t *info, void *context)
{
    greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
    selector = 0;
    t_say("code %d call %d arch %x rax %lld, address is %s\n", info->si_code, info->si_syscall, info->si_arch, g[REG_RAX],
          (greg_t)info->si_call_addr == g[REG_RIP] ? "right" : "wrong");
    g[REG_RAX] = 4242;
}

/* The selector is the first thread's as well: that makes no call meanwhile. */
static volatile int may_go, has_gone;
static void *thread(void *unused)
{
    while (!may_go)
        ;
    selector = 1;
    syscall(SYS_getppid);
    selector = 0;
    has_gone = 1;
    return NULL;
}

static int set(long mode, long lo, long len, volatile char *at)
{
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, mode, lo, len, at) ? errno : 0;
}

int main(void)
{
    pthread_t th;
    t_handle(SIGSYS, handler, 0);
    t_say("bad mode %d, bad range %d, off with range %d\n", set(9, 0, 0, NULL), set(1, 4096, -4096, NULL), set(0, 1, 1, NULL));
    t_say("on %d\n", set(1, 0, 0, &selector));
    for (int i = 0; i < 3; i++) {
        selector = 1;
        long r = syscall(SYS_getppid);
        t_say("result %ld, selector %d\n", r, selector);
    }
    CHECK(pthread_create(&th, NULL, thread, NULL) == 0);
    may_go = 1;
    while (!has_gone)
        ;
    CHECK(pthread_join(th, NULL) == 0);
    t_say("thread done\n");
    pid_t child = fork();
    if (!child) {
        selector = 1;
        _exit(syscall(SYS_getppid) == 4242);
    }
    t_wait("child", child);
    fflush(stdout);
    child = fork();
    if (!child) {
        set(1, 0, 0, &selector);
        selector = 7;
        _exit(1);
    }
    t_wait("bad selector", child);
    t_say("off %d\n", set(0, 0, 0, NULL));
    selector = 1;
    long own = syscall(SYS_getpid);
    t_say("own pid %d\n", own == getpid());
    return DONE();
}
