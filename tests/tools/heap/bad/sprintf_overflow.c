/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *s = malloc(8);
    sprintf(s, "%08d", argc); /* BUG */
    free(s);
}
