/* error: leak */
#include <stdlib.h>
struct node { struct node *left, *right; };
static struct node *tree(int depth)
{
    struct node *n = calloc(1, sizeof *n); /* BUG */
    if (depth) {
        n->left = tree(depth - 1);
        n->right = tree(depth - 1);
    }
    return n;
}
static __attribute__((noinline)) void lose(void)
{
    struct node *volatile t = tree(3);
    t = NULL;
}

static __attribute__((noinline)) void wipe(void)
{
    volatile long room[500];
    for (int i = 0; i < 500; i++)
        room[i] = 0;
}

int main(void)
{
    lose();
    wipe();
}
