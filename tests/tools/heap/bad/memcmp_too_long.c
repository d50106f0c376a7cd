/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(int argc, char **argv)
{
    char *a = calloc(1, 8), b[16] = "";
    sink = memcmp(a, b, 8 + argc); /* BUG */
    free(a);
}
