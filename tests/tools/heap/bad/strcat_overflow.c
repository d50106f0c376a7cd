/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(8);
    strcpy(s, "abcd");
    strcat(s, "efgh"); /* BUG */
    free(s);
}
