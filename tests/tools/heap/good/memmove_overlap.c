/* pieces that overlap are moved up and down, at every distance */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (int n = 1; n < 300; n += 7) {
        char *p = calloc(1, (size_t)n + 16);
        for (int d = 1; d < 16; d++) {
            memmove(p + d, p, (size_t)n);
            memmove(p, p + d, (size_t)n);
        }
        if (p[n / 2])
            puts("set");
        free(p);
    }
}
