/* a partly set buffer copied, and its set part looked at */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *a = malloc(64), *b = malloc(64);
    strcpy(a, "short");
    memcpy(b, a, 64);
    int r = 0;
    if (strcmp(b, "short"))
        r = 1;
    free(a);
    free(b);
    return r;
}
