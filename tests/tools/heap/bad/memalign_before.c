/* error: read-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;
int main(void)
{
    void *p;
    if (posix_memalign(&p, 256, 100))
        return 1;
    sink = ((char *)p)[-1]; /* BUG */
    free(p);
}
