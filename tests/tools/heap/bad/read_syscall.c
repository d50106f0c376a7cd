/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char *p = malloc(16);
    int fd = open("/dev/zero", O_RDONLY);
    ssize_t n = read(fd, p, 16 + argc); /* BUG */
    free(p);
    return n != 17;
}
