/* calloc gives zeros, also from memory used before */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (int k = 0; k < 50; k++) {
        char *p = malloc(100);
        memset(p, 255, 100);
        free(p);
        p = calloc(10, 10);
        for (int i = 0; i < 100; i++)
            if (p[i])
                return 1;
        free(p);
    }
}
