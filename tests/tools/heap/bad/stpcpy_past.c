/* error: write-outside */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(6);
    stpcpy(stpcpy(p, "abc"), "defg"); /* BUG */
    free(p);
}
