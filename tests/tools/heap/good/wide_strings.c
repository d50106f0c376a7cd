/* wide strings that end with their block */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    volatile size_t sum = 0;
    for (size_t n = 1; n < 100; n++) {
        wchar_t *s = malloc(n * sizeof *s), *t = malloc(n * sizeof *t);
        wmemset(s, L'a', n - 1);
        s[n - 1] = 0;
        wcscpy(t, s);
        sum += wcslen(s) + wcscmp(s, t) + (wcschr(s, L'b') == NULL) + (wcsrchr(t, L'c') == NULL);
        free(s);
        free(t);
    }
    return sum == 0;
}
