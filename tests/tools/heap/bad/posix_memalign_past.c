/* error: write-outside */
#include <stdlib.h>

int main(void)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, 100))
        return 1;
    ((volatile char *)p)[100] = 1; /* BUG */
    free(p);
}
