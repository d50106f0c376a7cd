/* error: write-freed */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int s[2];
    char *p = malloc(16);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    write(s[0], "0123456789", 10);
    free(p);
    recv(s[1], p, 10, 0); /* BUG */
}
