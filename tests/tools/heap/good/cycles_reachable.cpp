/* a doubly linked ring that a global points into the middle of, a list whose links point behind their nodes */
#include <cstdio>
struct node { long before[3]; node *next, *prev; };
node **volatile ring;

int main()
{
    node *first = new node();
    first->next = first->prev = first;
    for (int i = 0; i < 20; i++) {
        node *n = new node();
        n->next = first;
        n->prev = first->prev;
        n->prev->next = n;
        first->prev = n;
    }
    ring = &first->next->next;
    printf("%d\n", *ring != nullptr);
}
