/* error: unset-read */
#include <stdio.h>
#include <stdlib.h>
union both { short half; int whole; };

int main(void)
{
    union both *volatile u = malloc(sizeof *u);
    u->half = 1;
    if (u->whole == 7) /* BUG */
        puts("seven");
    free(u);
}
