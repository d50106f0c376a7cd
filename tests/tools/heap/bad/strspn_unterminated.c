/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(void)
{
    char *s = malloc(5);
    memset(s, 'a', 5);
    sink = strspn(s, "abc"); /* BUG */
    free(s);
}
