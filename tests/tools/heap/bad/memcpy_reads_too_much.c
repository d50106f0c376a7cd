/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char to[64], *from = calloc(1, 16);
    memcpy(to, from, 16 + argc); /* BUG */
    free(from);
    return to[0];
}
