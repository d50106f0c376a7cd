/* a pool of one's own inside of a large block: its pieces are used again and again */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct piece { struct piece *next; char room[56]; };
static struct piece *pool, *unused;

static void *get(void)
{
    struct piece *p = unused;
    unused = p->next;
    return p;
}
static void put(void *v)
{
    struct piece *p = v;
    p->next = unused;
    unused = p;
}

int main(void)
{
    pool = malloc(100 * sizeof *pool);
    for (int i = 0; i < 100; i++)
        put(&pool[i]);
    for (int round = 0; round < 50; round++) {
        char *a = get(), *b = get();
        memset(a, round, 64);
        memset(b, round, 64);
        if (memcmp(a, b, 64))
            puts("differ");
        put(a);
        put(b);
    }
    free(pool);
}
