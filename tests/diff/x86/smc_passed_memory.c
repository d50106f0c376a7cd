/* Code in a memory file whose descriptor comes from another process, or is passed on to one, which then changes the code.
 * test-follow: yes */
#include "x86.h"
#include <sys/socket.h>
#include <sys/wait.h>

static int run(u8 *at) { return ((int (*)(void))at)(); }

static void send_fd(int to, int fd)
{
    char control[CMSG_SPACE(sizeof fd)] = {0}, byte = 0;
    struct iovec v = {&byte, 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    *CMSG_FIRSTHDR(&m) = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof fd);
    CHECK(sendmsg(to, &m, 0) == 1);
}

static int receive_fd(int from)
{
    char control[CMSG_SPACE(sizeof(int))] = {0}, byte;
    struct iovec v = {&byte, 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    CHECK(recvmsg(from, &m, 0) == 1);
    int fd;
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

static u8 *map(int fd, int prot)
{
    u8 *p = mmap(NULL, 4096, prot, MAP_SHARED, fd, 0);
    CHECK(p != MAP_FAILED);
    return p;
}

static int make(void)
{
    int fd = memfd_create("code", 0);
    CHECK(write(fd, (u8[]){0xb8, 1, 0, 0, 0, 0xc3}, 6) == 6 && ftruncate(fd, 4096) == 0);
    return fd;
}

static void change(int peer, u8 *at)
{
    for (u8 v = 2; v < 8; v++) {
        char c;
        CHECK(read(peer, &c, 1) == 1);
        at[1] = v;
        CHECK(write(peer, &c, 1) == 1);
    }
}

/* Nothing but the answer on the socket tells of the change. */
static void watch(int peer, u8 *code, const char *name)
{
    t_say("%s: %d", name, run(code));
    for (int i = 0; i < 6; i++) {
        char c = 0;
        CHECK(write(peer, &c, 1) == 1 && read(peer, &c, 1) == 1);
        t_say(" %d", run(code));
    }
    t_say("\n");
}

static int executor(int peer)
{
    watch(peer, map(receive_fd(peer), PROT_READ | PROT_EXEC), "received");
    int fd = make();
    u8 *code = map(fd, PROT_READ | PROT_EXEC);
    run(code);
    send_fd(peer, fd);
    watch(peer, code, "sent");
    return 0;
}

int main(int argc, char **argv)
{
    int pair[2], status;
    if (argc > 1)
        return executor(atoi(argv[1]));
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pid_t pid = fork();
    if (!pid) {
        char number[16];
        close(pair[0]);
        sprintf(number, "%d", pair[1]);
        execl("/proc/self/exe", argv[0], number, NULL);
        _exit(9);
    }
    close(pair[1]);
    int fd = make();
    u8 *mine = map(fd, PROT_READ | PROT_WRITE);
    send_fd(pair[0], fd);
    change(pair[0], mine);
    change(pair[0], map(receive_fd(pair[0]), PROT_READ | PROT_WRITE));
    waitpid(pid, &status, 0);
    printf("status %d\n", status);
    return DONE();
}
