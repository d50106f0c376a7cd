/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *p = malloc(100);
    memset(p, 0, 100 + argc); /* BUG */
    free(p);
}
