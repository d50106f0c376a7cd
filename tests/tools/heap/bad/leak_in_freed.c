/* error: leak */
#include <stdlib.h>
struct owner { char *name; };

int main(void)
{
    struct owner *volatile o = malloc(sizeof *o);
    o->name = malloc(30); /* BUG */
    free(o);
    o = NULL;
}
