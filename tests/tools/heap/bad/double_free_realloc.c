/* error: double-free */
#include <stdlib.h>

int main(void)
{
    char *volatile p = malloc(10), *volatile q = realloc(p, 1000);
    free(q);
    free(p); /* BUG */
}
