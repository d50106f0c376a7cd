/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *from = "hello";
    char *s = malloc(strlen(from));
    strcpy(s, from); /* BUG */
    puts(s); /* BUG2 */
    free(s);
}
