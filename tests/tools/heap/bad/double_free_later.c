/* error: double-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    void *p[100];
    for (int i = 0; i < 100; i++)
        p[i] = malloc(i + 1);
    for (int i = 0; i < 100; i++)
        free(p[i]);
    free(p[50]); /* BUG */
}
