/* execs.c N MICROSECONDS: a chain of N programs in one process, each of which executes the next after that time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    char rest[16];
    if (argc == 3) {
        puts("ready");
        fflush(stdout);
    }
    if (n == 0) {
        puts("the chain ends");
        return 9;
    }
    if (strcmp(argv[2], "0"))
        usleep((unsigned)atoi(argv[2]));
    snprintf(rest, sizeof rest, "%d", n - 1);
    execl(argv[0], argv[0], rest, argv[2], "on", (char *)0);
    return 1;
}
