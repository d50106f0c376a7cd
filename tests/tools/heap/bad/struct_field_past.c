/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small { int a, b; };
struct large { int a, b, c; };
int main(void)
{
    struct large *p = malloc(sizeof(struct small));
    p->c = 1; /* BUG */
    free(p);
}
