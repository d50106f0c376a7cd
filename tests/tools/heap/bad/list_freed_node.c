/* error: read-freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; };
int main(void)
{
    struct node *a = malloc(sizeof *a);
    a->next = malloc(sizeof *a);
    a->next->next = NULL;
    for (struct node *n = a; n; n = n->next) /* BUG */
        free(n);
}
