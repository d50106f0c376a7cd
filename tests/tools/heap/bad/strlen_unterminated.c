/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(void)
{
    char *s = malloc(4);
    memcpy(s, "abcd", 4);
    sink = strlen(s); /* BUG */
    free(s);
}
