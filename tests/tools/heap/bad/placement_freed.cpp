/* error: read-freed */
#include <new>
#include <cstdlib>
struct item { int n; item(int k) : n(k) {} ~item() {} };

int main()
{
    void *room = malloc(sizeof(item));
    item *volatile i = new (room) item(5);
    i->~item();
    free(room);
    volatile int n = i->n; /* BUG */
    return n & 0;
}
