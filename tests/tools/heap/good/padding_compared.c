/* structs with padding that were cleared first may be compared as a whole; those with bit fields be changed part by part */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct padded { char a; int b; char c; };
struct bits { unsigned a : 3, b : 7, c : 1, d : 21; };

int main(void)
{
    struct padded *p = calloc(2, sizeof *p);
    for (int i = 0; i < 2; i++) {
        p[i].a = 1;
        p[i].b = 2;
        p[i].c = 3;
    }
    if (memcmp(&p[0], &p[1], sizeof *p))
        puts("differ");
    struct bits *b = malloc(sizeof *b);
    b->a = 1;
    b->b = 2;
    b->c = 0;
    b->d = 9;
    if (b->c)
        puts("c");
    if (b->d != 9)
        puts("d");
    free(b);
    free(p);
}
