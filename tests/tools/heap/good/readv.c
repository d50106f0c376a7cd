/* a vector of buffers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/uio.h>

int main(void)
{
    char *a = malloc(5), *b = malloc(7);
    struct iovec v[2] = { { a, 5 }, { b, 7 } };
    int fd = open("/dev/zero", O_RDONLY);
    if (readv(fd, v, 2) != 12 || a[4] || b[6])
        return 1;
    free(a);
    free(b);
}
