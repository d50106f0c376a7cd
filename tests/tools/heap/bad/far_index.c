/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *p = malloc(100);
    p[100 + 20 * argc] = 1; /* BUG */
    free(p);
}
