/* error: read-freed */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = strndup("hello world", 5);
    free(p);
    volatile size_t n = strlen(p); /* BUG */
    return n & 0;
}
