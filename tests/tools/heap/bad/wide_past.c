/* error: read-outside */
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    wchar_t *w = malloc(4 * sizeof *w);
    wmemset(w, L'x', 4);
    volatile size_t n = wcslen(w); /* BUG */
    free(w);
    return n & 0;
}
