/* An eventfd and a socket pair, there and back, tell who may touch the buffer. */
#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <poll.h>
#include <unistd.h>
static int buffer[64], ev, sv[2];
static void *worker(void *v)
{
    for (int r = 0; r < 20; r++) {
        uint64_t n;
        if (read(ev, &n, 8) != 8)
            break;
        for (int i = 0; i < 64; i++)
            buffer[i] += r;
        send(sv[1], "y", 1, 0);
    }
    return v;
}
int main(void)
{
    pthread_t t;
    long sum = 0;
    char c;
    ev = eventfd(0, 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sv))
        return 1;
    pthread_create(&t, 0, worker, 0);
    for (int r = 0; r < 20; r++) {
        uint64_t one = 1;
        buffer[r] = r;
        if (write(ev, &one, 8) != 8)
            return 1;
        struct pollfd p = {sv[0], POLLIN, 0};
        poll(&p, 1, -1);
        if (recv(sv[0], &c, 1, 0) != 1)
            return 1;
        for (int i = 0; i < 64; i++)
            sum += buffer[i];
    }
    pthread_join(t, 0);
    printf("%ld\n", sum);
}
