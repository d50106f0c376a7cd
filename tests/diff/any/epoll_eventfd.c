/* epoll, eventfd, timerfd, socketpair and poll across two threads. */
#include "t.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

static int ev, sp[2];
static void *body(void *arg)
{
    for (u64 i = 1; i <= 100; i++) {
        write(ev, &i, 8);
        char c = (char)i;
        write(sp[1], &c, 1);
    }
    shutdown(sp[1], SHUT_WR);
    return NULL;
}

int main(void)
{
    ev = eventfd(0, 0);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sp) == 0);
    int tf = timerfd_create(CLOCK_MONOTONIC, 0), ep = epoll_create1(0);
    struct itimerspec its = {{0, 1000000}, {0, 1000000}};
    timerfd_settime(tf, 0, &its, NULL);
    int fds[] = {ev, sp[0], tf};
    for (int i = 0; i < 3; i++)
        CHECK(epoll_ctl(ep, EPOLL_CTL_ADD, fds[i], &(struct epoll_event){.events = EPOLLIN, .data.fd = fds[i]}) == 0);
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    u64 sum = 0, bytes = 0, ticks = 0, v;
    int open_end = 1;
    while (open_end || sum < 5050 || ticks < 3) {
        struct epoll_event e[3];
        int n = epoll_wait(ep, e, 3, -1);
        for (int i = 0; i < n; i++) {
            char c;
            if (e[i].data.fd == ev && read(ev, &v, 8) == 8)
                sum += v;
            else if (e[i].data.fd == tf && read(tf, &v, 8) == 8)
                ticks += v;
            else if (e[i].data.fd == sp[0]) {
                if (read(sp[0], &c, 1) == 1)
                    bytes += (u8)c;
                else
                    open_end = 0, epoll_ctl(ep, EPOLL_CTL_DEL, sp[0], NULL);
            }
        }
    }
    pthread_join(t, NULL);
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)bytes);
    return DONE();
}
