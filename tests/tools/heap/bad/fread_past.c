/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *f = fopen("/proc/self/exe", "r");
    char *p = malloc(100);
    fread(p, 1, 101, f); /* BUG */
    free(p);
    fclose(f);
}
