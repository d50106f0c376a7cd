/* error: unset-read */
#include <stdio.h>
#include <stdlib.h>
struct s { char a; int b, c; };

int main(void)
{
    struct s *volatile p = malloc(sizeof *p);
    p->a = 1;
    p->b = 2;
    if (p->c > 0) /* BUG */
        puts("positive");
    free(p);
}
