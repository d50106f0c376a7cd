/* A seccomp filter turns a system call into SIGSYS: the handler sees the application's call and gives the result. */
#include "t.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

static void handler(int sig, siginfo_t *info, void *context)
{
    greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
    u8 *next = (u8 *)g[REG_RIP];
    t_say("code %d errno %d call %d rax %lld, address is %s, instruction %02x %02x\n", info->si_code, info->si_errno,
          info->si_syscall, g[REG_RAX], info->si_call_addr == next ? "right" : "wrong", next[-2], next[-1]);
    g[REG_RAX] = 4242;
}

int main(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | 7),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = {sizeof filter / sizeof *filter, filter};
    t_handle(SIGSYS, handler, 0);
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0);
    for (int i = 0; i < 3; i++)
        t_say("result %ld\n", syscall(SYS_getppid));
    return DONE();
}
