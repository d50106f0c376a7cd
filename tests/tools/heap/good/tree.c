/* a binary tree */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree { struct tree *l, *r; int key; };
static struct tree *add(struct tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key)
        t->l = add(t->l, key);
    else
        t->r = add(t->r, key);
    return t;
}
static void drop(struct tree *t)
{
    if (t) {
        drop(t->l);
        drop(t->r);
        free(t);
    }
}
int main(void)
{
    struct tree *t = NULL;
    for (int i = 0; i < 500; i++)
        t = add(t, i * 7919 % 503);
    drop(t);
}
