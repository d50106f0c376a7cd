/* bytes that the kernel writes are set */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(100), n = 0;
    int fd = open("/proc/self/stat", O_RDONLY);
    ssize_t got = read(fd, p, 100);
    for (ssize_t i = 0; i < got; i++)
        if (p[i] == ' ')
            n++;
    close(fd);
    free(p);
    return n < 5;
}
