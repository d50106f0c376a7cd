/* error: read-freed */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(64), to[64];
    memset(p, 1, 64);
    free(p);
    memcpy(to, p, 64); /* BUG */
    return to[5] & 0;
}
