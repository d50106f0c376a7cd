/* large blocks made and freed many times */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (int i = 0; i < 3000; i++) {
        char *p = malloc(1 << 20);
        p[0] = p[(1 << 20) - 1] = 1;
        free(p);
    }
}
