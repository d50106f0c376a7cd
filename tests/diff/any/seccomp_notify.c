/* A seccomp filter has a supervisor asked (SECCOMP_RET_USER_NOTIF) about mappings and other calls: it answers with an error, with a
 * result of its own, or lets them go on. The filter looks at the second argument alone. */
#include "t.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

enum { MARK = 0x7000, OTHER = 0x9000 };

static int install(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OTHER, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog prog = {sizeof code / sizeof *code, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
}

/* MARK: an error that tells how often it was asked; OTHER: the call goes on, but for kill, which gets a result. */
static void *supervise(void *fd)
{
    static struct seccomp_notif n;
    static struct seccomp_notif_resp r;
    for (int times = 0;;) {
        memset(&n, 0, sizeof n), memset(&r, 0, sizeof r);
        if (ioctl(*(int *)fd, SECCOMP_IOCTL_NOTIF_RECV, &n))
            continue;
        r.id = n.id;
        times++;
        if (n.data.args[1] == MARK)
            r.error = -(50 + times);
        else if (n.data.nr == SYS_kill)
            r.val = 1234;
        else
            r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(*(int *)fd, SECCOMP_IOCTL_NOTIF_SEND, &r);
    }
    return NULL;
}

#define SHOW(call) (errno = 0, r = (long)(call), printf("%s: %s %d\n", #call, r == -1 ? "failed" : r == 1234 ? "1234" : "done", errno))

int main(void)
{
    static int fd, pair[2];
    long r;
    pthread_t t;
    u8 *p = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pipe(pair) == 0);
    /* The supervisor is a thread that has no filter: it is made before, and told the descriptor. */
    fd = 60;
    CHECK(pthread_create(&t, NULL, supervise, &fd) == 0);
    int own = install();
    CHECK(own >= 0 && dup2(own, 60) == 60);
    SHOW(mmap(NULL, MARK, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    SHOW(mmap(NULL, OTHER, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    SHOW(mprotect(p, MARK, PROT_READ | PROT_WRITE));
    SHOW(mprotect(p, OTHER, PROT_READ | PROT_WRITE));
    p[100] = 1;
    SHOW(madvise(p, MARK, MADV_DONTNEED));
    CHECK(p[100] == 1);
    SHOW(madvise(p, OTHER, MADV_DONTNEED));
    CHECK(p[100] == 0);
    SHOW(munmap(p, MARK));
    CHECK(p[100] == 0);
    SHOW(munmap(p, OTHER));
    SHOW(mremap(p + 0x10000, MARK, MARK + 0x1000, MREMAP_MAYMOVE));
    SHOW(kill(1, OTHER));
    SHOW(ftruncate(pair[0], MARK));
    return DONE();
}
