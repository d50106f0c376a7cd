/* error: leak */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *other; };
static __attribute__((noinline)) void lose(void)
{
    struct node *volatile a = malloc(sizeof *a), *volatile b = malloc(sizeof *b); /* BUG */
    a->other = b;
    b->other = a;
    a = b = NULL;
}
int main(void)
{
    lose();
}
