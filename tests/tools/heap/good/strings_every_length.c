/* string functions on blocks that end with the string, at every length and alignment */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    volatile size_t sum = 0;
    for (size_t n = 1; n < 200; n++) {
        char *s = malloc(n), *t = malloc(n);
        memset(s, 'a', n - 1);
        s[n - 1] = 0;
        strcpy(t, s);
        sum += strlen(s) + strnlen(t, n) + (strcmp(s, t) == 0) + (strchr(s, 'b') == NULL) + (strrchr(t, 'a') != NULL);
        sum += (memchr(s, 'z', n) == NULL) + memcmp(s, t, n) + strncmp(s, t, n + 10) + strcspn(s, "xyz") + strspn(t, "a");
        sum += (strstr(s, "ab") == NULL) + strcasecmp(s, t) + (strpbrk(s, "q") == NULL) + (memrchr(s, 0, n) != NULL);
        memmove(t, s, n);
        strncpy(t, s, n);
        free(s);
        free(t);
    }
    return sum == 0;
}
