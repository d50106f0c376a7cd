/* all of the usable size is used */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <malloc.h>

int main(void)
{
    for (size_t n = 0; n < 100; n++) {
        char *p = malloc(n);
        memset(p, 1, malloc_usable_size(p));
        free(p);
    }
}
