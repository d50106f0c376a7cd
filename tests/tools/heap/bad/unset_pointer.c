/* error: unset-read */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };
int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    if (n->next != NULL) /* BUG */
        puts("more");
    free(n);
}
