/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(4);
    memcpy(s, "abcd", 4);
    printf("%s\n", s); /* BUG */
    free(s);
}
