/* a message received into the heap */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int s[2];
    char *p = malloc(10);
    struct iovec v = { p, 10 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) || write(s[0], "abcdefghij", 10) != 10 || recvmsg(s[1], &m, 0) != 10 || p[9] != 'j')
        return 1;
    free(p);
}
