/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char from[64] = "x", *to = malloc(32);
    memcpy(to, from, 32 + argc); /* BUG */
    free(to);
}
