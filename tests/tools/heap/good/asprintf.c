/* asprintf, strdup, strndup */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *a, *b = strdup("hello"), *c = strndup("goodbye", 4);
    if (asprintf(&a, "%s %s %d %f", b, c, 42, 1.5) < 0)
        return 1;
    puts(a);
    free(a);
    free(b);
    free(c);
}
