/* error: double-free */
#include <stdlib.h>

int main(void)
{
    char *volatile p = malloc(10);
    realloc(p, 0);
    free(p); /* BUG */
}
