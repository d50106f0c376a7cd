/* error: write-freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>

static char *volatile p;
static void handler(int sig)
{
    p[0] = 1; /* BUG */
}
int main(void)
{
    p = malloc(10);
    free(p);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
}
