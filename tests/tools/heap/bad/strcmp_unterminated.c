/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(void)
{
    char *s = malloc(3);
    memcpy(s, "abc", 3);
    sink = strcmp(s, "abcd"); /* BUG */
    free(s);
}
