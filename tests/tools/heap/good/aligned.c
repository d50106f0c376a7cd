/* aligned blocks */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (size_t a = 16; a <= 65536; a *= 2) {
        char *p = aligned_alloc(a, a), *q = NULL;
        if ((size_t)p % a || posix_memalign((void **)&q, a, 100) || (size_t)q % a)
            return 1;
        memset(p, 1, a);
        memset(q, 2, 100);
        free(p);
        free(q);
    }
}
