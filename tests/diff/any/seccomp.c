/* A seccomp filter that forbids one call: it fails with the filter's errno and everything else still works.
 * test-modes: default,ins1 */
#include "t.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

int main(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 77),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog prog = {4, code};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0);
    errno = 0;
    long r = syscall(SYS_getppid);
    printf("%ld %d\n", r, errno);
    u64 s = 1, x = 0;
    for (int i = 0; i < 1000; i++)
        x ^= t_random(&s);
    printf("%llx\n", (unsigned long long)x);
    return DONE();
}
