/* The kernel writes generated code through vectors of buffers: readv, recvmsg, recvmmsg, process_vm_readv; none of it is
 * lost, and what is run afterwards is the new code. The page also holds a robust mutex, which a dying thread owns. */
#include "x86.h"
#include <sys/socket.h>
#include <sys/uio.h>

static u8 *page;
static void put(u8 v) { memcpy(page, (u8[]){0xb8, v, 0, 0, 0, 0xc3}, 6); }
static int run(void) { return ((int (*)(void))page)(); }

static void *die(void *m)
{
    CHECK(pthread_mutex_lock(m) == 0);
    run();
    return NULL;
}

int main(void)
{
    int p[2], s[2];
    u8 code[6], head[2];
    page = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pipe(p) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0);
    struct iovec v[2] = {{head, 2}, {page, 6}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    for (int round = 0; round < 4; round++) {
        put((u8)(round * 10));
        printf("%d", run());
        memcpy(code, (u8[]){0xb8, (u8)(round * 10 + 1), 0, 0, 0, 0xc3}, 6);
        write(p[1], "ab", 2), write(p[1], code, 6);
        printf(" readv %zd", readv(p[0], v, 2));
        printf(" %d", run());
        code[1]++;
        struct iovec out[2] = {{"cd", 2}, {code, 6}};
        CHECK(writev(s[1], out, 2) == 8);
        printf(" recvmsg %zd", recvmsg(s[0], &m, MSG_DONTWAIT));
        printf(" %d", run());
        code[1]++;
        struct mmsghdr many[1] = {{.msg_hdr = m}};
        CHECK(writev(s[1], out, 2) == 8);
        int n = recvmmsg(s[0], many, 1, MSG_DONTWAIT, NULL);
        printf(" recvmmsg %d of %u %d", n, n > 0 ? many[0].msg_len : 0, run());
        code[1]++;
        ssize_t got = process_vm_readv(getpid(), v, 2, out, 2, 0);
        printf(" process_vm_readv %zd %d\n", got, run());
    }
    pthread_mutex_t *mutex = (void *)(page + 512);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex, &attr);
    pthread_t t;
    pthread_create(&t, NULL, die, mutex);
    pthread_join(t, NULL);
    printf("mutex of a dead thread: %s\n", strerror(pthread_mutex_lock(mutex)));
    return DONE();
}
