/* A thread waits for data that the kernel will put into a page of code. Meanwhile the code there is executed, so the page is watched,
 * and changed. The data must arrive all the same, and be executed as it is. */
#include "t.h"
#include <sys/socket.h>
#include <sys/uio.h>

enum { BUFFER = 2048, SIZE = 6 };
enum how { BY_READ, BY_READV, BY_RECVFROM, BY_RECVMSG, BY_RECVMMSG, N_HOW };
static const char *const name[] = { "read", "readv", "recvfrom", "recvmsg", "recvmmsg" };

static u8 *page;
static int pair[2];
static volatile int tid;

static u32 run(u32 at) { return ((u32(*)(void))(void *)(page + at))(); }

static void put_code(u8 *to, u32 value)         /* mov eax, value; ret */
{
    to[0] = 0xb8;
    memcpy(to + 1, &value, 4);
    to[5] = 0xc3;
}

static ssize_t wait_for(enum how how)
{
    struct iovec v[2] = { { page + BUFFER, 3 }, { page + BUFFER + 3, SIZE } };
    struct mmsghdr m = { .msg_hdr = { .msg_iov = v, .msg_iovlen = 2 } };
    switch (how) {
    case BY_READ: return read(pair[0], page + BUFFER, SIZE);
    case BY_READV: return readv(pair[0], v, 2);
    case BY_RECVFROM: return recvfrom(pair[0], page + BUFFER, SIZE, 0, NULL, NULL);
    case BY_RECVMSG: return recvmsg(pair[0], &m.msg_hdr, 0);
    default: return recvmmsg(pair[0], &m, 1, 0, NULL) == 1 ? m.msg_len : -1;
    }
}

static void *receiver(void *how)
{
    tid = (int)syscall(SYS_gettid);
    return (void *)wait_for((enum how)(long)how);
}

static void until_it_waits(void)
{
    char path[64], line[512];
    do {
        snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
        FILE *f = fopen(path, "r");
        if (!f || !fgets(line, sizeof line, f))
            line[0] = 0;
        if (f)
            fclose(f);
        usleep(1000);
    } while (!strstr(line, ") S"));
}

int main(void)
{
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    for (long how = 0; how < N_HOW; how++)
        for (u32 i = 0; i < 5; i++) {
            pthread_t t;
            void *got;
            u8 code[SIZE];
            put_code(page + BUFFER, 1);
            tid = 0;
            CHECK(pthread_create(&t, NULL, receiver, (void *)how) == 0);
            while (!tid)
                ;
            until_it_waits();
            u32 before = run(BUFFER);
            put_code(page, i);
            u32 beside = run(0);
            put_code(code, 100 + i);
            CHECK(write(pair[1], code, SIZE) == SIZE);
            CHECK(pthread_join(t, &got) == 0);
            printf("%s: %ld bytes, ran %u, %u, %u\n", name[how], (long)got, before, beside, run(BUFFER));
        }
    return DONE();
}
