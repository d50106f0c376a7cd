/* bit fields set one by one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s { unsigned a : 3, b : 5, c : 24; };
int main(void)
{
    struct s *p = malloc(sizeof *p);
    p->a = 1;
    p->b = 2;
    p->c = 3;
    int r = 0;
    if (p->a != 1 || p->b != 2 || p->c != 3)
        r = 1;
    free(p);
    return r;
}
