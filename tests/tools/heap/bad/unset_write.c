/* error: unset-read */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(64);
    p[0] = 1;
    int fd = open("/dev/null", O_WRONLY);
    ssize_t n = write(fd, p, 64); /* BUG */
    free(p);
    return n != 64;
}
