/* error: leak */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) void lose(void)
{
    char *volatile p = malloc(123); /* BUG */
    p[0] = 1;
    p = NULL;
}
int main(void)
{
    lose();
}
