/* A seccomp filter judges 32-bit calls by their own numbers and the other architecture's name, those that Cotter performs itself
 * included; it can itself be installed by int 0x80. */
#include "x86.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <ucontext.h>

static long call(long nr, long b, long c, long d)
{
    long r;
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(b), "c"(c), "d"(d) : "memory", "r8", "r9", "r10", "r11");
    return r;
}

static void trapped(int sig, siginfo_t *s, void *uc)
{
    printf("SIGSYS: code %d, call %d, architecture %x, rcx %d\n", s->si_code, s->si_syscall, s->si_arch,
           (int)((ucontext_t *)uc)->uc_mcontext.gregs[REG_RCX]);
}

#define FIELD(f) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, f))
#define IF(v, then) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, v, 0, 1), BPF_STMT(BPF_RET | BPF_K, then)

int main(void)
{
    static const struct sock_filter filter[] = {
        FIELD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        FIELD(nr),
        IF(20, SECCOMP_RET_ERRNO | 77),          /* getpid: the kernel asks the filter */
        IF(91, SECCOMP_RET_ERRNO | 78),          /* munmap: Cotter does */
        IF(125, SECCOMP_RET_TRAP | 5),           /* mprotect */
        IF(24, SECCOMP_RET_TRAP | 6),            /* getuid */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sigaction sa = { .sa_sigaction = trapped, .sa_flags = SA_SIGINFO };
    u8 *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    CHECK(low != MAP_FAILED && !sigaction(SIGSYS, &sa, NULL) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    memcpy(low + 16, filter, sizeof filter);
    *(u16 *)low = sizeof filter / sizeof *filter;
    *(u32 *)(low + 4) = (u32)(u64)(low + 16);
    printf("prctl: %ld\n", call(172, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)low));
    printf("getpid: %ld\n", call(20, 1, 2, 3));
    printf("munmap: %ld\n", call(91, 0x10000, 2, 3));
    printf("mprotect: %ld\n", call(125, 0x10000, 2, 3));
    printf("getuid: %ld\n", call(24, 1, 7, 3));
    printf("getppid: %d\n", call(64, 0, 0, 0) == getppid());
    printf("natively: %d\n", getpid() > 0 && !mprotect(low, 4096, PROT_READ));
    return DONE();
}
