/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
    volatile int n = 12345678;
    snprintf(p, 16, "%d!", n); /* BUG */
    free(p);
}
