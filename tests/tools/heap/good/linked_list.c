/* a list built, walked and freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int v; };
int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 1000; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        n->v = i;
        head = n;
    }
    int s = 0;
    while (head) {
        struct node *n = head->next;
        s += head->v;
        free(head);
        head = n;
    }
    return s != 499500;
}
