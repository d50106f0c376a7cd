/* strcat and strncat that just fit */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(9), *t = malloc(7);
    strcpy(s, "abcd");
    strcat(s, "efgh");
    strcpy(t, "abc");
    strncat(t, "defgh", 3);
    puts(s);
    puts(t);
    free(s);
    free(t);
}
