/* a handler that uses the heap of the program */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>

static int *volatile p;
static void handler(int s) { p[0]++; }
int main(void)
{
    p = calloc(1, sizeof *p);
    signal(SIGUSR1, handler);
    for (int i = 0; i < 10; i++)
        raise(SIGUSR1);
    int r = p[0] != 10;
    free(p);
    return r;
}
