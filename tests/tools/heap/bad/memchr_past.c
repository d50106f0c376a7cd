/* error: read-outside */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(20);
    memset(p, 'a', 20);
    void *volatile found = memchr(p, 'b', 40); /* BUG */
    free(p);

}
