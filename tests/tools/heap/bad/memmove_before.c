/* error: write-outside */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = calloc(1, 32);
    memmove(p - 4, p, 16); /* BUG */
    free(p);
}
