/* error: read-outside */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = strdup("seven..");
    volatile char c = s[8]; /* BUG */
    free(s);
    return c & 0;
}
