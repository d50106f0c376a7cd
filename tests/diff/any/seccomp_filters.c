/* Seccomp filters of every action, among them ones that leave hardly anything allowed: the application's calls are judged as
 * natively, those that Cotter performs itself included, and Cotter's own are not.
 * test-modes: default,ins1,flush */
#include "t.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define NR BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IF(number, action) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##number, 0, 1), BPF_STMT(BPF_RET | BPF_K, action)
#define ELSE(action) BPF_STMT(BPF_RET | BPF_K, action)
#define OK SECCOMP_RET_ALLOW

static long install(struct sock_filter *code, size_t n, unsigned flags)
{
    struct sock_fprog prog = {(unsigned short)n, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
}
#define INSTALL(...) ({ struct sock_filter f_[] = {NR, __VA_ARGS__}; install(f_, sizeof f_ / sizeof *f_, 0); })

/* New code all the time, so that Cotter has to get memory, protect pages and take faults under the filter. */
static volatile unsigned sink;
static unsigned work(void)
{
    static u8 *page;
    if (!page)
        page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (unsigned i = 0; i < 3000; i++) {
        u8 *p = page + i * 64 % (1 << 20);
        memcpy(p, (u8[]){0xb8, (u8)i, (u8)(i >> 8), 0, 0, 0xc3}, 6);
        sink += ((unsigned (*)(void))p)();
    }
    return sink;
}

static void on_sys(int sig, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    t_say("SIGSYS code %d errno %d call %d, address is %s\n", info->si_code, info->si_errno, info->si_syscall,
          (greg_t)info->si_call_addr == u->uc_mcontext.gregs[REG_RIP] ? "right" : "wrong");
    u->uc_mcontext.gregs[REG_RAX] = -42;
}

static void result(const char *what, long r) { t_say("%s %ld %d\n", what, r, errno); }

/* Each in a child; how it ended is the result. */
static void child(const char *name, void (*f)(void))
{
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        f();
        syscall(SYS_exit, 3);
    }
    waitpid(pid, &status, 0);
    printf("%s: %s %d\n", name, WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void allow_list_errno(void)
{
    work();
    t_say("%ld\n", INSTALL(IF(write, OK), IF(exit, OK), IF(exit_group, OK), ELSE(SECCOMP_RET_ERRNO | 99)));
    t_say("work %u\n", work());
    errno = 0;
    result("mmap", (long)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    struct sigaction act = {.sa_handler = SIG_IGN};
    result("sigaction", sigaction(SIGUSR1, &act, NULL));
    sigset_t set;
    sigfillset(&set);
    result("mask", syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 8));
    t_say("altstack %d fork %d madvise %d close %d\n", sigaltstack(NULL, &(stack_t){0}), (int)syscall(SYS_fork),
          madvise(&set, 1, MADV_DONTNEED), close(0));
    result("exec", execl("/bin/true", "true", NULL));
    result("call", syscall(SYS_getpid));
}
static void allow_list_kill(void)
{
    work();
    INSTALL(IF(write, OK), IF(exit, OK), ELSE(SECCOMP_RET_KILL_PROCESS));
    t_say("work %u\n", work() != 0);
    syscall(SYS_getpid);
}
static void kill_emulated(void)
{
    INSTALL(IF(rt_sigaction, SECCOMP_RET_KILL_PROCESS), ELSE(OK));
    signal(SIGUSR1, SIG_IGN);
}
static void kill_thread_alone(void)
{
    INSTALL(IF(mprotect, SECCOMP_RET_KILL_THREAD), ELSE(OK));
    t_say("work %u\n", work() != 0);
    mprotect(&sink, 1, PROT_READ);
}
static void trap_all(void)
{
    t_handle(SIGSYS, on_sys, 0);
    work();
    INSTALL(IF(write, OK), IF(exit, OK), IF(rt_sigreturn, OK), ELSE(SECCOMP_RET_TRAP | 5));
    t_say("getpid %ld\n", syscall(SYS_getpid));
    t_say("mmap %ld\n", syscall(SYS_mmap, 0, 4096, 1, 0x22, -1, 0));
    t_say("sigaction %ld\n", syscall(SYS_rt_sigaction, SIGUSR1, 0, 0, 8));
    t_say("work %u\n", work() != 0);
}
static void two_filters(void)
{
    INSTALL(IF(getpid, SECCOMP_RET_ERRNO | 7), IF(munmap, SECCOMP_RET_ERRNO | 8), ELSE(OK));
    INSTALL(IF(getpid, SECCOMP_RET_ERRNO | 9), IF(munmap, SECCOMP_RET_ERRNO | 10), ELSE(OK));
    errno = 0;
    result("call", syscall(SYS_getpid));
    result("munmap", munmap(NULL, 0));
    t_say("work %u\n", work() != 0);
}
static void by_argument(void)
{
    struct sock_filter f[] = {
        NR, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), ELSE(OK)};
    work();
    install(f, sizeof f / sizeof *f, 0);
    errno = 0;
    void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    t_say("%d %d\n", p == MAP_FAILED, errno);
    p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    t_say("%d\n", p == MAP_FAILED);
    t_say("work %u\n", work() != 0);
}
static void traced_without_tracer(void)
{
    INSTALL(IF(getppid, SECCOMP_RET_TRACE), IF(rt_sigaction, SECCOMP_RET_TRACE), ELSE(OK));
    errno = 0;
    result("call", syscall(SYS_getppid));
    result("call", syscall(SYS_rt_sigaction, SIGUSR1, 0, 0, 8));
}
static void *thread_of_filter(void *p)
{
    errno = 0;
    long r = syscall(SYS_madvise, 0, 0, 0);
    t_say("thread %ld %d\n", r, errno);
    return p;
}
static void inherited_by_thread(void)
{
    pthread_t t;
    INSTALL(IF(madvise, SECCOMP_RET_ERRNO | 55), IF(openat, SECCOMP_RET_ERRNO | 56), IF(tgkill, SECCOMP_RET_ERRNO | 57), ELSE(OK));
    pthread_create(&t, NULL, thread_of_filter, NULL);
    pthread_join(t, NULL);
    t_say("work %u\n", work() != 0);
}
static volatile int go;
static void *waits(void *p)
{
    while (!go)
        sched_yield();
    return thread_of_filter(p);
}
static void synchronised(void)
{
    pthread_t t;
    struct sock_filter f[] = {NR, IF(madvise, SECCOMP_RET_ERRNO | 66), ELSE(OK)};
    pthread_create(&t, NULL, waits, NULL);
    t_say("%ld\n", install(f, sizeof f / sizeof *f, SECCOMP_FILTER_FLAG_TSYNC));
    go = 1;
    pthread_join(t, NULL);
}
static int listener;
static void *supervisor(void *p)
{
    for (int i = 0; i < 2; i++) {
        struct seccomp_notif req = {0};
        struct seccomp_notif_resp resp = {0};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &req))
            return NULL;
        resp.id = req.id;
        if (req.data.nr == SYS_getppid)
            resp.val = 4711;
        else
            resp.error = -EXDEV;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &resp);
    }
    return NULL;
}
static void notified(void)
{
    pthread_t t;
    struct sock_filter f[] = {NR, IF(getppid, SECCOMP_RET_USER_NOTIF), IF(openat, SECCOMP_RET_USER_NOTIF), ELSE(OK)};
    listener = (int)install(f, sizeof f / sizeof *f, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    t_say("listener %d\n", listener >= 0);
    pthread_create(&t, NULL, supervisor, NULL);
    errno = 0;
    t_say("%ld\n", syscall(SYS_getppid));
    result("call", syscall(SYS_openat, AT_FDCWD, "/dev/null", 0));
    pthread_join(t, NULL);
}
static void strict_mode(void)
{
    work();
    t_say("%d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
    t_say("work %u\n", work() != 0);
}
static void strict_forbids(void)
{
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    t_say("still here\n");
    syscall(SYS_getpid);
}
static void strict_by_seccomp(void)
{
    result("call", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL));
    t_say("%ld\n", syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL));
    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void bad_filters(void)
{
    struct sock_fprog none = {0, NULL}, nowhere = {3, (void *)8};
    errno = 0;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    result("prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &none));
    result("prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &nowhere));
    result("prctl", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (void *)8));
    struct sock_filter endless[] = {NR};
    result("endless", install(endless, 1, 0));
    t_say("%d\n", prctl(PR_GET_SECCOMP));
}

int main(void)
{
    child("errno", allow_list_errno);
    child("kill", allow_list_kill);
    child("kill emulated", kill_emulated);
    child("kill thread", kill_thread_alone);
    child("trap", trap_all);
    child("two", two_filters);
    child("argument", by_argument);
    child("trace", traced_without_tracer);
    child("thread", inherited_by_thread);
    child("synchronised", synchronised);
    child("notified", notified);
    child("strict", strict_mode);
    child("strict forbids", strict_forbids);
    child("strict by seccomp", strict_by_seccomp);
    child("bad", bad_filters);
    return DONE();
}
