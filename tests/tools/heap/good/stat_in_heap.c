/* structures that the kernel fills */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int main(void)
{
    struct stat *s = malloc(sizeof *s);
    struct timespec *t = malloc(sizeof *t);
    if (stat("/", s) || clock_gettime(CLOCK_REALTIME, t) || t->tv_sec == 0)
        return 1;
    int r = !S_ISDIR(s->st_mode);
    free(s);
    free(t);
    return r;
}
