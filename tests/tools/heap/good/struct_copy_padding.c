/* a structure with padding copied as a whole */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s { char c; long l; char d; };
int main(void)
{
    struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->c = 1;
    a->l = 2;
    a->d = 3;
    *b = *a;
    int r = b->c + b->l + b->d;
    free(a);
    free(b);
    return r != 6;
}
